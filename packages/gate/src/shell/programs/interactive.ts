import { list, type Program } from './program.ts'

/** Programs that a person uses in a terminal, and can start others from: editors, pagers, viewers. */
export const INTERACTIVE: readonly Program[] = [
  {
    names: list('vi vim nvim view rvim ed ex emacs most man fzf sk tig lazygit'),
    exactOnly: 'runs-programs',
    examples: { refused: ['vi x'] },
  },
  {
    names: ['delta'],
    unsafe: { options: ['--pager', '--config', '--diff-args'], letters: '@' },
    examples: {
      permitted: ['delta x'],
      refused: ['delta --pager=id', 'delta --config x', 'delta -@ x', 'delta --diff-args=x a b'],
    },
  },
  {
    names: ['bat', 'batcat'],
    unsafe: { options: ['--pager', '--generate-config-file'], readingUses: new Map([['cache', []]]) },
    examples: { permitted: ['bat --paging=never x'], refused: ['bat --pager id x', 'bat cache --build'] },
  },
  {
    names: ['info'],
    unsafe: { options: ['--output', '--dribble', '--restore'], letters: 'o' },
    examples: { permitted: ['info ls'], refused: ['info --output=x ls', 'info -ox ls'] },
  },
  {
    names: ['ncdu'],
    unsafe: { letters: 'oO' },
    examples: { permitted: ['ncdu x'], refused: ['ncdu -o x'] },
  },
  {
    names: ['less', 'more'],
    exactOnly: 'runs-programs',
    readsOnly: true,
    examples: { refused: ['less x'], harmless: ["find . -exec less '{}' +"] },
  },
]
