import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readCommandLine } from '../../../src/shell/command-line.ts'
import { judgeHarmless } from '../../../src/allow/harmless/judge.ts'

/** Thousands of real skills. They are not part of the repository. */
const corpus = join(import.meta.dirname, '../../../../../../shared/corpus')
const isPresent = existsSync(join(corpus, 'manifest.jsonl'))
const isSkipped = !isPresent && (process.env.REPERTOIRE_CORPUS === 'absent' || process.env.CI === undefined)

/** What commands of real skills do that is not harmless, by the words that tell it. */
const OTHER_USES = [
  /^npm audit fix/,
  // They write a file, or send one.
  /^curl .*(?:-o|=@)/,
  // They fetch code from elsewhere, or go through another machine.
  /--(?:extra-)?index-url|^cargo install --git|^kubectl apply .*https:|--socks5-hostname/,
  // They run code in a container, with more of this machine than is listed perhaps.
  /^docker (?:run|exec|build|compose (?:--profile debug )?(?:up|run|exec))\b/,
  // They run another program, work in another folder, or change what git runs.
  /^find .*-exec|^git bisect run|^gh extension install/,
  /^git -[cC] |^pnpm --dir|^uv run --directory/,
  /^git config \S+ /,
  // They need a person.
  /^(?:gh auth login|git add -p)$/,
  // No such subcommands, or extensions.
  /^(?:npm test:|uv uv |git secrets )/,
]

const title = isSkipped
  ? 'commands of real skills: skipped, for ../shared/corpus is not beside the repository'
  : 'commands of real skills'

describe.skipIf(isSkipped)(title, { timeout: 120_000 }, () => {
  it('[GATE-15] are permitted by a rule for their program, but for those that are not harmless', () => {
    const commands = readCommands()
    expect(commands.size).toBeGreaterThan(500)
    const refused = Array.from(commands).filter(([, words]) => {
      const judged = judgeHarmless(words, 1)
      return judged !== undefined && 'problem' in judged
    })
    const unexplained = refused.filter(([line]) => !OTHER_USES.some((use) => use.test(line)))
    expect(unexplained.map(([line]) => line)).toEqual([])
    // None of the explanations is left over.
    expect(OTHER_USES.filter((use) => !refused.some(([line]) => use.test(line)))).toEqual([])
  })
})

/** The plain commands in the code blocks of the skills, with their words. */
function readCommands(): ReadonlyMap<string, readonly string[]> {
  const commands = new Map<string, readonly string[]>()
  for (const entry of readFileSync(join(corpus, 'manifest.jsonl'), 'utf8').trim().split('\n')) {
    const { id, file } = JSON.parse(entry) as { readonly id: string; readonly file: string }
    const text = readFileSync(join(corpus, 'skills', id, file), 'utf8')
    for (const [, block = ''] of text.matchAll(
      /^[ \t]*```(?:bash|sh|shell|zsh|console)?[ \t]*\n([\s\S]*?)^[ \t]*```/gm,
    )) {
      for (const written of block.replaceAll(/\\\n\s*/g, ' ').split('\n')) {
        const line = written
          .trim()
          .replace(/^\$ /, '')
          .replace(/\s+#.*$/, '')
        const command = readCommandLine(line).simpleCommand
        if ('words' in command && judgeHarmless(command.words, 1) !== undefined) commands.set(line, command.words)
      }
    }
  }
  return commands
}
