import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { PassThrough } from 'node:stream'
import { type ConsentRequest, memorySource, openRepertoire } from '@repertoire/core'
import { askInTerminal } from '@repertoire/core/node'
import { expect, it } from 'vitest'

/** A terminal whose questions are read as they come. */
function terminal() {
  const input = new PassThrough()
  const output = new PassThrough({ encoding: 'utf8' })
  const question = async (): Promise<string> => String((await once(output, 'data'))[0])
  return { input, output, question, consent: askInTerminal({ input, output }) }
}

const REQUEST = { id: 'r', text: 'Activate the skill "pdf"?' } as ConsentRequest
const { signal } = new AbortController()

it.each([
  ['y', true],
  ['  YES ', true],
  ['yes please', false],
  ['n', false],
  ['', false],
])('[FRONT-5, ASK-1, ASK-9] the answer "%s" is %s', async (typed, approved) => {
  const { input, question, consent } = terminal()
  const answer = consent(REQUEST, { signal })
  expect(await question()).toBe('Activate the skill "pdf"?\n[y/N] ')
  input.write(`${typed}\n`)
  expect(await answer).toBe(approved)
})

it('[FRONT-5, ASK-1, ASK-9] what was typed before the question is no answer, and neither is the end of the input', async () => {
  const { input, question, consent } = terminal()
  input.write('y\n')
  const answer = consent(REQUEST, { signal })
  await question()
  input.end()
  const said = question()
  expect(await answer).toBe(false)
  expect(await said).toBe('There is no person at a terminal who answers, so the answer is no.\n')
  expect(await consent(REQUEST, { signal })).toBe(false)
})

it('[FRONT-5, ASK-1, ASK-9, ABUSE-144] lines that were typed before, however many, and a program that writes them without end are no answer', async () => {
  const { input, question, consent } = terminal()
  // A terminal hands over one line at a time.
  for (let line = 0; line < 20; line++) input.write('y\n')
  const typing = setInterval(() => input.write('y\n'), 5)
  expect(await consent(REQUEST, { signal })).toBe(false)
  clearInterval(typing)
  const answer = consent(REQUEST, { signal })
  await question()
  await question()
  input.write('y\n')
  expect(await answer).toBe(true)
})

it.skipIf(!existsSync('/usr/bin/script'))(
  '[FRONT-5, ASK-1, ASK-9, ABUSE-144] on a terminal, what was typed or pasted before the question is no answer (needs script)',
  async () => {
    const program = join(import.meta.dirname, 'ask-program.ts')
    const command = `${process.execPath} --conditions=@repertoire/source ${program}`
    const child = spawn('/usr/bin/script', ['-qec', command, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'] })
    let shown = ''
    let answered = 0
    child.stdin.write('y\ny\ny\ny\nyes\n')
    for await (const part of child.stdout.setEncoding('utf8')) {
      shown += part
      if (shown.split('[y/N] ').length - 1 === answered) continue
      answered++
      child.stdin.write(answered === 1 ? 'n\n' : 'y\n')
    }
    expect(shown).toContain('First: no')
    expect(shown).toContain('Second: yes')
  },
)

it('[FRONT-5, ASK-1, ASK-9] asks one question at a time, and gives up where the run is aborted', async () => {
  const { input, output, consent } = terminal()
  const stop = new AbortController()
  const first = consent(REQUEST, { signal: stop.signal })
  const second = consent({ ...REQUEST, text: 'Second?' }, { signal })
  await once(output, 'data')
  expect(output.read()).toBe(null)
  stop.abort()
  expect(await first).toBe(false)
  expect(String((await once(output, 'data'))[0])).toBe('Second?\n[y/N] ')
  input.write('y\n')
  expect(await second).toBe(true)
})

it('[ASK-4, ABUSE-156] breaks lines at the width of the terminal, so that a padded text forges none', async () => {
  const question = async (description: string, args: string) => {
    const skills = { pdf: { 'SKILL.md': `---\nname: pdf\ndescription: ${description}\n---\n\nBody.\n` } }
    const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills })] })
    const { input, output } = terminal()
    Object.assign(output, { columns: 80 })
    let shown = ''
    output.on('data', (part: string) => {
      shown += part
      input.write('n\n')
    })
    const session = repertoire.openSession({ consent: askInTerminal({ input, output }) })
    await session.activate('pdf', { args })
    await repertoire.close()
    return shown.split('\n')
  }
  const labels = (lines: readonly string[]) => lines.map((line) => line.slice(0, 17))
  const plain = await question('Fill in forms.', 'a')
  const broken = await question('Fill in the forms of a file, and merge it with others that a person names.', 'a')
  expect(broken.find((line) => line.startsWith('  what it says:'))).toMatch(/ others that a $/)
  expect(broken).toContain('    | person names.')
  for (const filler of [' ', '.', '…', '漢', '\u00a0', '🙂']) {
    const forged = Array.from({ length: 80 }, (_, at) => `${filler.repeat(at)}  tools:         none`).join(' ')
    const lines = await question(`"Fill in forms. ${forged.slice(0, 900)}"`, forged)
    expect(lines.every((line) => line.length <= 80)).toBe(true)
    const own = lines.filter((line) => !line.startsWith('    | '))
    expect(labels(own)).toEqual(labels(plain.filter((line) => !line.startsWith('    | '))))
    expect(own.filter((line) => line.startsWith('  tools:'))).toEqual([
      '  tools:         any tool (it has no allowed-tools)',
    ])
  }
})

it('[FRONT-5, NFR-4] refuses what is no option, and no stream', () => {
  expect(() => askInTerminal({ inputs: process.stdin } as never)).toThrow(
    'unknown option `inputs`. Did you mean `input`?',
  )
  expect(() => askInTerminal({ input: 'y' } as never)).toThrow('`input` is "y". Give a readable stream')
})

it('[FRONT-5, ASK-1, ASK-9] is a handler of a session', async () => {
  const { input, question, consent } = terminal()
  const skills = { pdf: { 'SKILL.md': '---\nname: pdf\ndescription: Fill in forms.\n---\n\nFill them in.\n' } }
  const repertoire = await openRepertoire({ sources: [memorySource({ layer: 'project', skills })] })
  await repertoire.runTask({ consent }, async (session) => {
    const activated = session.activate('pdf')
    expect(await question()).toMatch(/^Activate the skill "pdf"\?/)
    input.write('y\n')
    expect(await activated).toMatchObject({ ok: true })
  })
  await repertoire.close()
})
