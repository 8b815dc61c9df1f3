--- Generated from src/ui by "npm run docs". The signs and words of what became of a hunk, the filters in their order, and
--- the reviews that can be started, with the arguments of "copane review".
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
  filters = {
    { 'pending', 'open' },
    { 'conflict', 'in conflict' },
    { 'accepted', 'accepted' },
    { 'modified', 'modified' },
    { 'rejected', 'rejected' },
    { 'already_applied', 'there already' },
    { 'unseen', 'unseen' },
    { 'new', 'new since your last round' },
  },
  starts = {
    { name = 'working-tree', words = 'The working tree: everything that is not committed', args = {  } },
    { name = 'staged', words = 'What is staged', args = { '--staged' } },
    { name = 'unstaged', words = 'What is not staged', args = { '--unstaged' } },
    { name = 'turn', words = 'What the newest answer of the AI changed', args = { '--turn', '1' } },
    { name = 'branch', words = 'A branch, or a range of commits', args = { 'A..B' } },
  },
}
