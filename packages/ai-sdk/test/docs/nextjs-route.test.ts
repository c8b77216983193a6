import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { openModelEndpoint } from '@repertoire/conformance'
import { expect, it, onTestFinished } from 'vitest'

it.each(['nextjs-route-example.ts', 'nextjs-stream-text-example.ts'])(
  '[FRONT-5] [ADPT-1] a route for Next.js asks before it activates a skill, and goes on after a yes: %s',
  async (route) => {
    const folder = await mkdtemp(join(tmpdir(), 'first-route-'))
    const endpoint = await openModelEndpoint()
    onTestFinished(async () => {
      await endpoint.close()
      await rm(folder, { recursive: true })
    })
    await mkdir(join(folder, '.agents/skills/commit-message'), { recursive: true })
    const skill = '---\nname: commit-message\ndescription: Commit messages.\n---\nBegin with the area.\n'
    await writeFile(join(folder, '.agents/skills/commit-message/SKILL.md'), skill)
    const activate = { tool: 'activate_skill', input: { name: 'commit-message' } }
    const play = endpoint.play([{ calls: [activate] }, { text: 'parser: rename it' }], { protocol: 'openai-responses' })
    // The provider reads its variables when it is loaded.
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        '--conditions=@repertoire/source',
        join(import.meta.dirname, 'nextjs-chat.ts'),
        join(import.meta.dirname, route),
      ],
      { cwd: folder, env: { ...process.env, OPENAI_API_KEY: play.apiKey, OPENAI_BASE_URL: play.baseURL } },
    )
    const { questions, last } = JSON.parse(stdout) as { readonly questions: readonly string[]; readonly last: unknown }
    expect(questions).toEqual([expect.stringContaining('Activate the skill "commit-message"?')])
    expect(last).toMatchObject({ type: 'text', text: 'parser: rename it' })
    expect(JSON.stringify(play.requests[1]?.raw)).toContain('Begin with the area.')
    expect(play.failures).toEqual([])
  },
)
