import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { activate, call, lastResult, openModelEndpoint } from '@repertoire/conformance'
import { expect, onTestFinished, test } from 'vitest'

import { endpointOf } from '../agent.ts'
import { work } from './built-in-tools-example.ts'

test('[ADPT-3, RUN-12, TOOL-5] the example about built-in tools reads a file of the project, and runs a script of a skill', async () => {
  const project = await mkdtemp(join(tmpdir(), 'repertoire-docs-'))
  onTestFinished(() => rm(project, { recursive: true, force: true }))
  await mkdir(join(project, '.agents/skills/counting/scripts'), { recursive: true })
  const skill = join(project, '.agents/skills/counting')
  await writeFile(join(skill, 'SKILL.md'), '---\nname: counting\ndescription: Counts.\n---\nRun it.\n')
  await writeFile(join(skill, 'scripts/count.sh'), 'echo "counted $1"\n')
  await writeFile(join(project, 'notes.md'), 'three notes')
  const endpoint = await openModelEndpoint()
  onTestFinished(() => endpoint.close())
  const play = endpoint.play([
    activate('counting'),
    call('file_operations', { operation: 'read', path: 'notes.md' }),
    call('run_skill_script', { path: 'scripts/count.sh', args: ['three'] }),
    { text: 'Done.' },
  ])
  expect(await work(endpointOf(play), project, 'Count', () => true)).toBe('Done.')
  expect(lastResult(play, 'call_2_1')).toContain('three notes')
  expect(lastResult(play, 'call_3_1')).toContain('counted three')
})
