/** Times and durations for people. Pure: the time zone is the process's, the clock is passed in. */

export { count } from '../../lib/count.ts';

/** `14:02` today, `12 Mar` this year, `2024-03-12` earlier; `--:--` if unknown. */
export function formatMoment(at: number | null, now: number): string {
  if (at === null) return '--:--';
  const then = new Date(at);
  const today = new Date(now);
  const isSameYear = then.getFullYear() === today.getFullYear();
  if (isSameYear && then.getMonth() === today.getMonth() && then.getDate() === today.getDate()) {
    return `${two(then.getHours())}:${two(then.getMinutes())}`;
  }
  if (isSameYear) return `${MONTHS[then.getMonth()]} ${two(then.getDate())}`;
  return `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const two = (value: number): string => String(value).padStart(2, '0');

/** `12s`, `3m`, `2h`, `4d`. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}
