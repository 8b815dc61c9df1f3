--- Generated from src/ui/kit/tally.ts by "npm run docs". The signs and words of what became of a hunk.
return {
  marks = {
    pending = '◌',
    conflict = '!',
    accepted = '✓',
    modified = '✎',
    rejected = '✗',
    already_applied = '=',
    seen = '◉',
  },
  words = {
    pending = 'open',
    conflict = 'conflict',
    accepted = 'accepted',
    modified = 'modified',
    rejected = 'rejected',
    already_applied = 'there already',
  },
}
