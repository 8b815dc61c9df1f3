/** The Agent screen's Ink layout: the list of sessions, or a conversation above its context and the box. */
import { stacked } from '../kit/components/pane.tsx';
import type { AgentPanes } from './view.ts';

export const agentLayout = stacked<keyof AgentPanes>('list', 'chat', { short: 'context' }, 'box');
