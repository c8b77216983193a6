import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { adapterSession } from '../../src/adapter.ts'
import { openAudited, refusalsOf } from './audit-example.ts'

it('[ADPT-4, OBS-3] shows on the page of the audit a program that is compiled and runs', async () => {
  const root = mkdtempSync(join(tmpdir(), 'repertoire-docs-'))
  const path = join(root, 'audit.jsonl')
  try {
    mkdirSync(join(root, 'tidy'))
    writeFileSync(
      join(root, 'tidy/SKILL.md'),
      '---\nname: tidy\ndescription: Tidies.\nallowed-tools: Read\n---\nTidy.\n',
    )
    const [repertoire, counters] = await openAudited(root, path)
    await repertoire.runTask({ id: 'task', consent: () => true }, async (session) => {
      const next = () => adapterSession(session).step({ tools: ['Write'], nameOf: () => 'm' })
      await (await next()).call({ id: '1', tool: 'activate_skill', input: { name: 'tidy' } })
      await (await next()).call({ id: '2', tool: 'Write', input: {} }, () => undefined)
    })
    await repertoire.close()
    expect(await refusalsOf(path, 'task')).toEqual([
      expect.stringMatching(/^restriction\.violated Write TOOL_NOT_ALLOWED /),
    ])
    expect(counters.byModel()).toMatchObject([{ model: 'm', activations: 1, violations: 1 }])
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
})
