import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openAdapterSession } from '../../src/adapter.ts'
import type { SessionOptions } from '../../src/index.ts'
import { openReadOnly } from './rules-and-policy-admit-example.ts'
import { openGuarded, shellTool } from './rules-and-policy-example.ts'

function temporaryFolder(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-readme-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  return root
}

it("[ADPT-4] shows on the page of rules a host's own rules that are compiled and hold", async () => {
  const root = temporaryFolder()
  mkdirSync(join(root, 'tidy'))
  writeFileSync(join(root, 'tidy/SKILL.md'), '---\nname: tidy\ndescription: Tidies.\nallowed-tools: Read\n---\nTidy.\n')
  const repertoire = await openGuarded(root)

  /** Which of the calls run, without a skill and then with the one that lists `Read`. */
  async function runs(options: SessionOptions): Promise<readonly (readonly string[])[]> {
    const session = openAdapterSession(repertoire, { cwd: root, consent: () => true, ...options })
    const calls = [
      { tool: 'Read', input: { file_path: 'a.md' } },
      { tool: 'Read', input: { file_path: '.env' } },
      { tool: 'Read', input: { file_path: '.repertoire/config.json' } },
      { tool: 'Write', input: { file_path: 'docs/a.md' } },
      { tool: 'Write', input: { file_path: 'a.md' } },
      { tool: 'Bash', input: { command: 'git log' } },
      { tool: 'Bash', input: { command: 'git push origin' } },
      { tool: 'WebFetch', input: { url: 'https://example.com' } },
    ]
    const tried = async (): Promise<readonly string[]> => {
      const ran: string[] = []
      await session.step({ tools: ['Read', 'Write', 'Bash', 'WebFetch'] })
      for (const [index, call] of calls.entries()) {
        await session.call({ id: String(index), ...call }, ({ tool, input }) => {
          ran.push([tool, ...Object.values(input as object)].join(' '))
        })
      }
      return ran
    }
    const before = await tried()
    await session.step({ tools: ['Read', 'Write', 'Bash', 'WebFetch'] })
    await session.call({ id: 'a', tool: 'activate_skill', input: { name: 'tidy' } }, () => undefined)
    return [before, await tried()]
  }

  const permitted = ['Read a.md', 'Write docs/a.md', 'Bash git log']
  expect(await runs({})).toEqual([permitted, ['Read a.md']])
  // As the page says of the modes, and that a task's own policy only narrows.
  expect(await runs({ enforcement: 'advisory' })).toEqual([permitted, permitted])
  expect(await runs({ enforcement: 'preapprove' })).toEqual([permitted, permitted])
  expect(await runs({ policy: { allow: ['Bash', 'WebFetch'] } })).toEqual([['Bash git log'], []])
})

it('[ABUSE-40] shows on the page of rules a shell in which git runs no program of a repository', async () => {
  const repository = temporaryFolder()
  const git = (...args: readonly string[]): void => void execFileSync('git', args, { cwd: repository })
  git('init', '--quiet')
  git('config', 'core.fsmonitor', `touch ${join(repository, 'ran')}; false`)
  const shell = shellTool(repository)
  expect(await shell.execute({ command: 'git status --short && echo done' }, { callId: 'c' })).toContain('done')
  expect(existsSync(join(repository, 'ran'))).toBe(false)
  // Without it the program does run, or the line above would prove nothing.
  git('status', '--short')
  expect(existsSync(join(repository, 'ran'))).toBe(true)
})

it('[ADPT-4, DISC-14] shows on the page of rules how only skills that read are loaded', async () => {
  const root = temporaryFolder()
  for (const [name, tools] of [
    ['reads', 'Read'],
    ['writes', 'Read Write'],
  ] as const) {
    mkdirSync(join(root, '.claude/skills', name), { recursive: true })
    const text = `---\nname: ${name}\ndescription: A skill.\nallowed-tools: ${tools}\n---\nDo it.\n`
    writeFileSync(join(root, '.claude/skills', name, 'SKILL.md'), text)
  }
  const repertoire = await openReadOnly(root)
  expect(repertoire.catalog.has('reads')).toBe(true)
  expect(repertoire.explain('writes').verdict).toBe('refused')
})
