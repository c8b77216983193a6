import { join } from 'node:path'
import { expect, test } from 'vitest'
import { READERS } from '@repertoire/gate/internal'

const page = join(import.meta.dirname, '../../docs/readers.md')

const HEAD = `# Readers

A reader is a command that only reads and prints. A rule such as \`Bash(git log:*)\` permits its operands and the options of its list, in the spellings that the program reads. It refuses every other option, every abbreviation, a value that begins with a dash (write \`--regexp=-x\`), and whatever runs a program, writes a file or loads code. [Rules and policy](rules-and-policy.md#readers-and-unbounded-rules) has the rest.

To permit another option, write the whole command, or name the option directly behind the reader's name: \`Bash(sort -o:*)\`. Such a rule is unbounded: it permits all that may follow. The lists of options are in [readers.ts](../packages/gate/src/command/readers.ts) and [readers-git.ts](../packages/gate/src/command/readers-git.ts).

`

/** The readers of one program, or of all programs without subcommands. */
function line(title: string, names: readonly string[]): string {
  return `- **${title}**: ${names.map((name) => `\`${name}\``).join(', ')}\n`
}

test('[GATE-15] the page of readers lists those of the gate; `npm run readers` writes it', async () => {
  const all = Array.from(READERS)
  const of = (program: string) => all.filter(([name]) => name.startsWith(`${program} `))
  const others = all.filter(([name]) => !name.includes(' '))
  const limited = all.flatMap(([name, { operands, syntax }]) => {
    if (operands !== undefined) return [`\`${name}\`: ${operands === 0 ? 'options only' : 'one file'}`]
    return syntax === 'format'
      ? [`\`${name}\`: a format of \`%s\`, \`%b\`, \`%q\`, \`%c\` and \`%%\`, without options before it`]
      : []
  })
  const text =
    HEAD +
    line(
      'Files and texts',
      others.map(([name]) => name),
    ) +
    line(
      'git',
      of('git').map(([name]) => name.slice('git '.length)),
    ) +
    line(
      'gh',
      of('gh').map(([name]) => name.slice('gh '.length)),
    ) +
    `\n${limited.join('; ')}; \`date\`: a format alone.\n` +
    `\nEach reader of git may run what a repository's configuration names. The consent question says so, unless you set \`policy.safeGit\`; [some remain](rules-and-policy.md#programs-that-git-runs) even then. What checks signatures is refused: a format with \`%G\`, a field \`signature\`.\n`
  await expect(text).toMatchFileSnapshot(page)
})
