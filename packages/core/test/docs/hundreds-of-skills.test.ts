import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { adapterSession } from '../../src/adapter.ts'
import { openMatching } from './hundreds-of-skills-example.ts'

it('[ADPT-4, MATCH-1, MATCH-4] shows in the guide a session that shows what fits a message, and a search for the rest', async () => {
  const root = mkdtempSync(join(tmpdir(), 'repertoire-docs-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const name of ['tidy', 'release', 'translate', 'draw', 'count']) {
    mkdirSync(join(root, name))
    writeFileSync(join(root, name, 'SKILL.md'), `---\nname: ${name}\ndescription: To ${name}.\n---\nDo it.\n`)
  }
  const session = await openMatching(root)
  await adapterSession(session).beginTurn('Please draw a cat.')
  const { instructions, tools } = await adapterSession(session).step({ tools: [] })
  expect([...instructions.matchAll(/^## Skill: (.*)$/gm)].map(([, name]) => name)).toEqual(['draw'])
  expect(tools.map(({ name }) => name)).toContain('search_skills')
})
