import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type HostPolicy, openGate } from '@repertoire/gate'
import { readDeniable } from '../../src/command/deny.ts'
import { commands, loadCommands } from '../../src/load-commands.ts'
import { runs, sample } from '@repertoire/test-servers/properties'

await loadCommands()

const POLICIES: readonly HostPolicy[] = [
  { allow: ['Bash(git log:*)', 'Bash(find:*)', 'Bash(sed:*)', 'Bash(npm test)'] },
  { deny: ['Bash(git push:*)', 'Bash(npm publish:*)', 'Bash(rm:*)'], ask: ['Bash(docker run --rm:*)'] },
  { protect: ['.env', 'policy/rules.json', '/etc/passwd'] },
]

const gates = POLICIES.map((policy) => openGate({ policy, cwd: '/project' }))

/** Every policy gives a verdict on a call. */
async function judgeAll(tool: string, input: unknown): Promise<void> {
  for (const gate of gates) expect(typeof (await gate.judge({ tool, input })).allowed).toBe('boolean')
}

/** How many words rules that deny are compared with: those of a line, and of the code and the texts in it. */
function comparedWords(line: string): number {
  return readDeniable(commands().readLine(line)).sequences.reduce((sum, { tokens }) => sum + tokens.length, 0)
}

const FRAGMENTS = (
  '( (( $( $(( 1+ ` " \' <<a <<<a {a, ${a:- "$( a; a& ! @(a| [ a=( case+a+in+a) if <( \\` \\ a(){ * # $\' a&& a| >a ~ $a ' +
  "while+a;do coproc [[ npm npm+a git git+-C sh+-c sh+-c+'a' xargs {} , '' rm - -- = eval env sudo timeout+5 a/ ../ .env " +
  '.e* ${ } { {a} ] find+-exec | & ; echo+$( A=b export+A=b function+f+{ done fi ) )) ? x{1..9} {{ [! [[: $[ a+= !! ^ %'
)
  .split(' ')
  .map((fragment) => fragment.replaceAll('+', ' '))
  .concat(['1+', '\n', '\t', '\r', '\0', ' ', '\u00a0', '😀', '\ud800', 'a\n', '<<"a"\n', 'a+='])

const fragment = fc.constantFrom(...FRAGMENTS)
const soup = fc.array(fc.oneof(fragment, fc.constant(' '), fc.string({ maxLength: 3 })), { maxLength: 40 })

const FILLERS = ['', ' ', ' a ', 'sh ']
const repeated = sample(
  FRAGMENTS.flatMap((part) => FILLERS.map((filler) => part + filler)),
  5,
)

describe(`any text (of what is repeated, ${repeated.text})`, () => {
  test('[GATE-16, ABUSE-143] gets a verdict under every policy, and no more words are compared than a multiple of its length', async () => {
    await fc.assert(
      fc.asyncProperty(soup, async (parts) => {
        const command = parts.join('')
        await judgeAll('Bash', { command })
        expect(comparedWords(command)).toBeLessThan(20 + 7 * command.length)
      }),
      { numRuns: runs(1_000) },
    )
  })

  test.each(repeated.chosen)('[GATE-16, ABUSE-143] %j ten thousand characters long gets one', async (part) => {
    const command = part.repeat(10_000 / part.length)
    await judgeAll('Bash', { command })
    expect(comparedWords(command)).toBeLessThan(20 + 7 * command.length)
  })

  test.each<(text: string) => string>([
    (text) => `x '${text}'`,
    (text) => `X='${text}'`,
    (text) => `sh -c '${text}'`,
    (text) => `eval "${text}"`,
    (text) => `cat <<E\n${text}\nE`,
  ])('[GATE-16, ABUSE-143] gets no more where one word or text holds thousands: %s', async (around) => {
    for (const part of ['a ', 'rm ', 'npm publish ', '; eval a']) {
      const command = around(part.repeat(9_900 / part.length))
      await judgeAll('Bash', { command })
      expect(comparedWords(command)).toBeLessThan(20 + 7 * command.length)
    }
  })

  test.each([
    ['npm npm a ', 'Bash'],
    ['git git ', 'Bash'],
    ['../', 'Read'],
    ['{a,', 'Glob'],
    ['*?[', 'Glob'],
    ['https://a@', 'WebFetch'],
    ['select ', 'execute_sql'],
  ])('[GATE-16] %j in great number gets one of %s', async (part, tool) => {
    const text = part.repeat(5_000)
    await judgeAll(tool, { command: text, file_path: text, pattern: text, path: text, url: text, sql: text })
  })

  test('[GATE-16] so do inputs that are nested deep, and values of any kind', async () => {
    let nested: unknown = 'x'
    for (let depth = 0; depth < 5_000; depth++) nested = depth % 2 === 0 ? [nested] : { path: nested }
    for (const tool of ['Bash', 'Read', 'Grep', 'WebFetch', 'execute_sql', 'Other']) {
      await judgeAll(tool, { command: 'ls', file_path: 'a', url: 'https://a.b', sql: 'select 1', other: nested })
    }
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('Bash', 'Read', 'Glob', 'WebFetch'),
        fc.dictionary(fc.string(), fc.jsonValue()),
        judgeAll,
      ),
      { numRuns: runs(300) },
    )
  })

  test('[GATE-16] so do paths, addresses and statements of any letters', async () => {
    const text = fc.string({ unit: fc.constantFrom(...Array.from('a./~*?[]{}(),:@%#$\\;\'" \n-é')), maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(text, text, async (one, other) => {
        await judgeAll('Read', { file_path: one, root: other })
        await judgeAll('Grep', { pattern: one, path: other, glob: one })
        await judgeAll('WebFetch', { url: `https://${one}`, host: other })
        await judgeAll('execute_sql', { sql: one })
      }),
      { numRuns: runs(500) },
    )
  })

  test('[ABUSE-157] a policy whose getters answer differently is read once', async () => {
    let reads = 0
    const policy = {
      get deny() {
        return reads++ === 0 ? ['Bash(rm:*)'] : []
      },
    }
    const gate = openGate({ policy })
    expect(reads).toBe(1)
    expect((await gate.judge({ tool: 'Bash', input: { command: 'rm x' } })).allowed).toBe(false)
  })
})

/** Thousands of real skills. They are not part of the repository. */
const corpus = join(import.meta.dirname, '../../../../../shared/corpus')
const isPresent = existsSync(join(corpus, 'manifest.jsonl'))
const isSkipped = !isPresent && (process.env['REPERTOIRE_CORPUS'] === 'absent' || process.env['CI'] === undefined)
const title = isSkipped
  ? 'commands of real skills: skipped, for ../shared/corpus is not beside the repository'
  : 'commands of real skills'

describe.skipIf(isSkipped)(title, { timeout: 120_000 }, () => {
  test('[GATE-16] get a verdict, whatever is put into them', async () => {
    const lines = readCommands()
    expect(lines.length).toBeGreaterThan(2_000)
    const place = fc.tuple(fc.nat(), fragment, fc.nat(3))
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...lines), fc.array(place, { maxLength: 4 }), async (line, places) => {
        const command = places.reduce((text, [at, part, cut]) => {
          const index = at % (text.length + 1)
          return text.slice(0, index) + part + text.slice(index + cut)
        }, line)
        await judgeAll('Bash', { command })
        expect(comparedWords(command)).toBeLessThan(20 + 7 * command.length)
      }),
      { numRuns: runs(2_000) },
    )
  })

  test('[GATE-14] are seldom refused by a rule for another program', async () => {
    const lines = readCommands().filter((line) => commands().readLine(line).problem === undefined)
    for (const denied of ['git push', 'rm', 'npm publish', 'curl']) {
      const gate = openGate({ policy: { deny: [`Bash(${denied}:*)`] } })
      const words = denied.split(' ')
      const others = lines.filter((line) => !words.every((word) => line.includes(word))).slice(0, runs(3_000))
      const refused: string[] = []
      for (const command of others) {
        if (!(await gate.judge({ tool: 'Bash', input: { command } })).allowed) refused.push(command)
      }
      expect(refused.length).toBeLessThan(runs(40))
    }
  })
})

/** The lines in the code blocks of the skills, each once, mixed. */
function readCommands(): readonly string[] {
  const found = new Set<string>()
  for (const entry of readFileSync(join(corpus, 'manifest.jsonl'), 'utf8').trim().split('\n')) {
    const { id, file } = JSON.parse(entry) as { readonly id: string; readonly file: string }
    const text = readFileSync(join(corpus, 'skills', id, file), 'utf8')
    for (const [, block = ''] of text.matchAll(/^[ \t]*```(?:bash|sh|shell)[ \t]*\n([\s\S]*?)^[ \t]*```/gm)) {
      for (const line of block.replaceAll(/\\\n\s*/g, ' ').split('\n')) {
        if (/^\s*[\w./$]/.test(line)) found.add(line.trim().replace(/^\$ /, ''))
      }
    }
  }
  return Array.from(found).toSorted((a, b) => a.slice(1).localeCompare(b.slice(1)))
}
