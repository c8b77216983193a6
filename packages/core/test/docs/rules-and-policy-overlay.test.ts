import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openAdapterSession } from '../../src/adapter.ts'
import { openWithRules } from './rules-and-policy-overlay-example.ts'

it("[ADPT-4, GATE-2] somebody else's skill gets rules of the host, and its files stay as they are", async () => {
  const root = mkdtempSync(join(tmpdir(), 'repertoire-overlay-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const name of ['tidy', 'other']) {
    mkdirSync(join(root, name))
    writeFileSync(join(root, name, 'SKILL.md'), `---\nname: ${name}\ndescription: Is ${name}.\n---\nDo it.\n`)
  }
  const before = readFileSync(join(root, 'tidy/SKILL.md'), 'utf8')
  const repertoire = await openWithRules(root, { tidy: [{ tool: 'Bash', pattern: 'git log:*' }] })
  expect(repertoire.catalog.list().map(({ name }) => name)).toEqual(['other', 'tidy'])

  async function ran(skill: string): Promise<readonly string[]> {
    const session = openAdapterSession(repertoire, { consent: () => true })
    await session.step({ tools: ['Bash'] })
    await session.call({ id: 'a', tool: 'activate_skill', input: { name: skill } }, () => undefined)
    expect(session.activeSkills).toEqual([skill])
    const done: string[] = []
    for (const command of ['git log', 'git push']) {
      await session.call({ id: command, tool: 'Bash', input: { command } }, () => done.push(command))
    }
    return done
  }
  expect(await ran('tidy')).toEqual(['git log'])
  expect(await ran('other')).toEqual(['git log', 'git push'])
  expect(readFileSync(join(root, 'tidy/SKILL.md'), 'utf8')).toBe(before)
})
