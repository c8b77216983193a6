import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openModelEndpoint, type ScriptStep } from '@repertoire/conformance'

/** What the scripted model does. */
const script: readonly ScriptStep[] = [
  { calls: [{ tool: 'activate_skill', input: { name: 'refunds' } }] },
  { calls: [{ tool: 'Order', input: { id: '7' } }] },
  { text: 'You get 40 euros back.' },
  { calls: [{ tool: 'Pay', input: { id: '7' } }] },
  { text: 'A colleague will pay it out.' },
]

const { OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL = 'gpt-5-mini' } = process.env
const endpoint = await openModelEndpoint()
const play = endpoint.play(script)
const model =
  OPENAI_API_KEY === undefined && OPENAI_BASE_URL === undefined
    ? { OPENAI_BASE_URL: play.baseURL, OPENAI_API_KEY: play.apiKey, OPENAI_MODEL: play.model }
    : { OPENAI_BASE_URL: OPENAI_BASE_URL ?? 'https://api.openai.com/v1', OPENAI_MODEL }

// Your Redis, or one for this run that keeps nothing.
const port = String(20_000 + (process.pid % 20_000))
const { REDIS_URL = `redis://127.0.0.1:${port}` } = process.env
const redis =
  process.env.REDIS_URL === undefined
    ? spawn('redis-server', ['--port', port, '--bind', '127.0.0.1', '--save', ''], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
    : undefined
redis?.once('error', () => {
  console.error('There is no redis-server. Install it, or set REDIS_URL=redis://…')
  process.exit(1)
})
for await (const output of redis?.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false }) ?? [])
  if (String(output).includes('Ready to accept')) break

// Two processes with the same store, as two machines would have it.
const env = { ...process.env, ...model, REDIS_URL, SESSION_SECRET: 'at least 32 characters of your own' }
const servers = [fork('server.ts', { env }), fork('server.ts', { env })]
const ports = await Promise.all(servers.map(async (server) => (await once(server, 'message'))[0] as number))

const chat = `chat-${process.pid}`
async function send(at: 0 | 1, body: object) {
  const response = await fetch(`http://127.0.0.1:${ports[at]}/chats/${chat}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(await response.text())
  const { text, active, questions, last } = (await response.json()) as {
    text: string
    active: string[]
    questions: { id: string; skill: string; meaning: string }[]
    last: { content: string }
  }
  console.log(`Process ${at + 1}: "${text}", active: [${active.join(', ')}]`)
  for (const { skill, meaning } of questions) console.log(`  It asks about "${skill}": a yes means ${meaning}`)
  if (questions.length === 0) console.log(`  The last result of a tool: ${last.content.split('\n')[0]}`)
  return questions
}

const questions = await send(0, { message: 'The tea in order 7 was broken.' })
await send(1, { answers: questions.map(({ id }) => ({ requestId: id, approved: true })) })
await send(0, { message: 'Please pay it now.' })

for (const child of [...servers, redis]) child?.kill()
await endpoint.close()
