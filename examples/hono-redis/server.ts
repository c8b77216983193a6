import { serve } from '@hono/node-server'
import { clientConsentRequest, type ConsentAnswer, type FunctionTool, withStoredSession } from '@repertoire/core'
import { openSkills } from '@repertoire/core/node'
import { createReActLoop, type Message, openAICompatible } from '@repertoire/react-loop'
import { openSessions, redisEngine } from '@repertoire/storage'
import { Hono } from 'hono'
import { createClient } from 'redis'

const { REDIS_URL = 'redis://127.0.0.1:6379', OPENAI_BASE_URL = '', OPENAI_API_KEY, OPENAI_MODEL = '' } = process.env
const redis = await createClient({ url: REDIS_URL }).connect()
const store = await openSessions({ engine: redisEngine({ client: redis }) })
// The same secret in every process: no one else can make or change a saved session.
const repertoire = await openSkills('skills', { sessionSecret: process.env.SESSION_SECRET })
const model = openAICompatible({ baseURL: OPENAI_BASE_URL, apiKey: OPENAI_API_KEY, model: OPENAI_MODEL })

const schema = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } }, required: [name] })
const tools: readonly FunctionTool[] = [
  { name: 'Order', description: 'Shows an order.', inputSchema: schema('id'), execute: () => 'Tea, 40 euros' },
  { name: 'Pay', description: 'Pays money out.', inputSchema: schema('id'), execute: () => 'This never runs.' },
]

/** What the browser sends: a message, or answers to the questions of the last response. */
type Body = { readonly message: string } | { readonly answers: readonly ConsentAnswer[] }

const app = new Hono()
app.post('/chats/:id', async (context) => {
  const id = context.req.param('id')
  const body = await context.req.json<Body>()
  // Only one process at a time works on a session, so the messages are read and written inside.
  const result = await withStoredSession(repertoire, { store, id }, async (session, { signal }) => {
    const messages = JSON.parse((await redis.get(`messages:${id}`)) ?? '[]') as Message[]
    const loop = createReActLoop({ model, session, tools })
    const { finishReason: _, ...run } = await ('answers' in body
      ? loop.run(messages, { answers: body.answers, signal })
      : loop.run([...messages, { role: 'user', content: body.message }], { signal }))
    await redis.set(`messages:${id}`, JSON.stringify(run.messages))
    return { ...run, active: session.activeSkills }
  })
  const { text, active, consentRequests = [], messages } = result
  const questions = consentRequests.map((request) => clientConsentRequest(request))
  return context.json({ process: process.pid, text, active, questions, last: messages.at(-2) })
})

const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => process.send?.(port))
process.once('SIGTERM', () => {
  server.close()
  redis.destroy()
})
