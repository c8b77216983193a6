import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type AdapterSessionOptions, openAdapterSession } from '../../src/adapter.ts'
import { openPreapproving } from './restrict-or-pre-approve-example.ts'

const text = readFileSync(join(import.meta.dirname, '../../../../docs/rules-and-policy.md'), 'utf8')
const page = text.slice(text.indexOf('## Restrict or pre-approve'), text.indexOf('## Rules\n'))
const [, manifest = ''] = /```md\n([^]*?)```/.exec(page) ?? []
/** The cells of the table of calls, by its rows. */
const rows = [...page.matchAll(/^\| (`git|`Write|`WebFetch)[^]*?$/gm)].map(([line]) =>
  line.split(/(?<!\\)\|/).map((cell) => cell.trim().replace(/: no rule for .*/, '')),
)

const CALLS = [
  { tool: 'Bash', input: { command: 'git log -5' } },
  { tool: 'Bash', input: { command: 'git log | head -5' } },
  { tool: 'Bash', input: { command: 'git log; rm -rf .' } },
  { tool: 'Write', input: { file_path: 'notes.md' } },
  { tool: 'WebFetch', input: { url: 'https://example.com' } },
  { tool: 'Write', input: { file_path: '.env' } },
] as const

const VERDICTS = {
  refused: 'refused',
  asked: 'needs your approval',
  preapproved: 'runs without your approval',
}

it('[ADPT-4, GATE-8] the table of the page has what each mode does to a call of its skill', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-modes-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  mkdirSync(join(root, 'release-notes'))
  writeFileSync(join(root, 'release-notes/SKILL.md'), manifest)
  const repertoire = await openPreapproving(root)

  async function verdicts(options: AdapterSessionOptions): Promise<readonly string[]> {
    const policy = { deny: ['Write(.env)'] }
    const session = openAdapterSession(repertoire, { cwd: root, consent: () => true, policy, ...options })
    await session.step({ tools: ['Read', 'Write', 'Bash', 'WebFetch'] })
    await session.call({ id: 'a', tool: 'activate_skill', input: { name: 'release-notes' } }, () => undefined)
    expect(session.activeSkills).toEqual(['release-notes'])
    const inspected = await Promise.all(CALLS.map((call, index) => session.preview({ id: String(index), ...call })))
    return inspected.map(({ refusal, preapproved }) =>
      refusal !== undefined ? VERDICTS.refused : preapproved ? VERDICTS.preapproved : VERDICTS.asked,
    )
  }

  expect(rows.map(([, , restrict]) => restrict)).toEqual(await verdicts({ enforcement: 'restrict' }))
  expect(rows.map(([, , , preapprove]) => preapprove)).toEqual(await verdicts({}))
  const allButPolicy = [...Array<string>(5).fill(VERDICTS.asked), VERDICTS.refused]
  expect(await verdicts({ enforcement: 'advisory' })).toEqual(allButPolicy)
})
