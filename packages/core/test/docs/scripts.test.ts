import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createSkillExecutor, memorySource } from '../../src/index.ts'
import { processRunner, scriptFiles } from '../session/scripts/script-world.ts'
import { openWithScripts } from './scripts-example.ts'

const page = readFileSync(join(import.meta.dirname, '../../../../docs/scripts.md'), 'utf8')

it('[RUN-12] shows on the page of scripts a program that is compiled and runs one', async () => {
  const runner = processRunner()
  const repertoire = await openWithScripts([memorySource({ layer: 'project', skills: scriptFiles() })], runner)
  const text = await repertoire.runTask({ consent: () => true }, async (session) => {
    await session.activate('tool')
    const call = { id: 'c', tool: 'run_skill_script', input: { path: 'scripts/args.sh', args: ['a'] } }
    return (await session.call(call, () => undefined)).text
  })
  expect(text).toContain('[a]')
  expect(runner.jobs[0]?.limits.timeout).toBe(30_000)
})

it('[RUN-7] names on the page of scripts the limits that scripts have', async () => {
  const rows = [...page.matchAll(/^\| `limits\.(\w+)`\s*\| ([\d,]+)/gm)]
  const named = rows.map(([, name, value = '']) => [name, Number(value.replaceAll(',', ''))])
  const runner = processRunner()
  await createSkillExecutor({ runner }).execute({ name: 'tool', definition: { type: 'script', script: 'true' } })
  expect(Object.fromEntries(named)).toStrictEqual(runner.jobs[0]?.limits)
})

it('[RUN-6] names on the page of scripts every dangerous pattern', () => {
  const source = readFileSync(join(import.meta.dirname, '../../src/execution/shell-danger.ts'), 'utf8')
  const [, union = ''] = /type DangerousPattern =([^/]*)/.exec(source) ?? []
  const patterns = [...union.matchAll(/'(.+)'/g)].map(([, name]) => name)
  expect(patterns).toHaveLength(6)
  expect(patterns.filter((name) => !page.includes(`\`${name}\``))).toStrictEqual([])
})
