import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { openModelEndpoint } from '@repertoire/conformance'
import { parseJsonEventStream, readUIMessageStream, type UIMessage, uiMessageChunkSchema } from 'ai'
import { expect, it, onTestFinished, vi } from 'vitest'

/** Sends a chat as `useChat` does, and returns the message of the answer. */
async function send(
  POST: (request: Request) => Promise<Response>,
  messages: readonly UIMessage[],
): Promise<UIMessage | undefined> {
  const body = JSON.stringify({ id: 'chat', messages })
  const response = await POST(new Request('http://localhost/api/chat', { method: 'POST', body }))
  const chunks = parseJsonEventStream({ stream: response.body!, schema: uiMessageChunkSchema })
  const stream = chunks.pipeThrough(
    new TransformStream({ transform: (each, to) => to.enqueue(each.success ? each.value : undefined) }),
  )
  const before = messages.at(-1)
  let answer = before?.role === 'assistant' ? before : undefined
  for await (const message of readUIMessageStream({ stream, message: answer })) answer = message
  return answer
}

it('[FRONT-5] [ADPT-1] the first route for Next.js, and one with its own `streamText`, ask before they activate a skill, and go on after a yes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'first-route-'))
  const before = process.cwd()
  const endpoint = await openModelEndpoint()
  onTestFinished(async () => {
    process.chdir(before)
    vi.unstubAllEnvs()
    await endpoint.close()
    await rm(folder, { recursive: true })
  })
  await mkdir(join(folder, '.agents/skills/commit-message'), { recursive: true })
  const skill = '---\nname: commit-message\ndescription: Commit messages.\n---\nBegin with the area.\n'
  await writeFile(join(folder, '.agents/skills/commit-message/SKILL.md'), skill)
  process.chdir(folder)
  const activate = { tool: 'activate_skill', input: { name: 'commit-message' } }
  const script = [{ calls: [activate] }, { text: 'parser: rename it' }]
  const play = endpoint.play([...script, ...script], { protocol: 'openai-responses' })
  vi.stubEnv('OPENAI_API_KEY', play.apiKey)
  vi.stubEnv('OPENAI_BASE_URL', play.baseURL)
  const routes = [await import('./nextjs-route-example.ts'), await import('./nextjs-stream-text-example.ts')]
  for (const { POST } of routes) {
    const question: UIMessage = { id: '1', role: 'user', parts: [{ type: 'text', text: 'A commit message, please.' }] }
    const asked = (await send(POST, [question]))!
    const parts = asked.parts.map((part) =>
      'approval' in part && part.state === 'approval-requested'
        ? { ...part, state: 'approval-responded' as const, approval: { ...part.approval, approved: true } }
        : part,
    )
    expect(JSON.stringify(parts)).toContain('Activate the skill \\"commit-message\\"?')
    const answered = await send(POST, [question, { ...asked, parts }])
    expect(answered?.parts.at(-1)).toMatchObject({ type: 'text', text: 'parser: rename it' })
    expect(JSON.stringify(play.requests.at(-1)?.raw)).toContain('Begin with the area.')
  }
  expect(play.requests).toHaveLength(4)
  expect(play.failures).toEqual([])
})
