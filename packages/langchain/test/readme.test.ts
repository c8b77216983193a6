import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openModelEndpoint } from '@repertoire/conformance'
import { expect, test } from 'vitest'
import { activate, resultOf, say, SKILLS } from './setup.ts'

const PACKAGE = fileURLToPath(new URL('..', import.meta.url))

test('[ADPT-2] the example of the README runs as it stands', { timeout: 60_000 }, async () => {
  const endpoint = await openModelEndpoint()
  const folder = await mkdtemp(join(tmpdir(), 'repertoire-readme-'))
  try {
    const [, example = ''] = /```ts\n(.*?)```/s.exec(await readFile(join(PACKAGE, 'README.md'), 'utf8')) ?? []
    const program = join(folder, 'example.ts')
    await writeFile(program, example)
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    await mkdir(join(folder, 'node_modules/@repertoire'), { recursive: true })
    await symlink(PACKAGE, join(folder, 'node_modules/@repertoire/langchain'))
    for (const name of ['langchain', '@langchain', '@repertoire/core']) {
      await symlink(join(PACKAGE, 'node_modules', name), join(folder, 'node_modules', name))
    }
    await mkdir(join(folder, '.agents/skills/editing'), { recursive: true })
    await writeFile(join(folder, '.agents/skills/editing/SKILL.md'), SKILLS['editing']!['SKILL.md']!)
    const play = endpoint.play([activate('editing'), say])
    const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=@repertoire/source', program], {
      cwd: folder,
      env: { ...process.env, HOME: folder, OPENAI_API_KEY: play.apiKey, OPENAI_BASE_URL: play.baseURL },
    })
    expect(stdout).toContain('Activate the skill "editing"?')
    expect(stdout).toContain("Done. [ 'editing' ]")
    expect(resultOf(play, 'call_1_1')).toContain('Edit with care.')
  } finally {
    await endpoint.close()
    await rm(folder, { recursive: true })
  }
})
