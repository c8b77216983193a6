import { type Fault, results, system, ungated } from './break.ts'

export const errorsFaults: readonly Fault[] = [
  {
    wrong: 'wraps what a tool throws into words of its own',
    caughtBy: ['errors-tool-throws', 'gate-after-throwing-tool'],
    body: results((text) => (text.includes('on fire') ? `Error: ${text}\n Please fix your mistakes.` : text)),
  },
  {
    wrong: 'turns every result into a string as JavaScript does',
    caughtBy: ['errors-odd-results'],
    body: results((text) => (text.startsWith('{"b"') ? '[object Object]' : text)),
  },
  {
    wrong: 'offers the skill tools before those of the host',
    caughtBy: ['listing-host-tools-kept'],
    body: (body) => ({ ...body, tools: (body.tools ?? []).toReversed() }),
  },
  {
    wrong: 'swallows the errors of the endpoint',
    caughtBy: ['errors-endpoint-fails', 'cleanup-after-error'],
    conversation: (conversation) => ({
      send: (text, options) => conversation.send(text, options).catch(() => ({ status: 'done', text: '' }) as const),
    }),
  },
  {
    wrong: 'stops at the first broken skill',
    caughtBy: ['errors-broken-neighbour'],
    session: system((text) => text.replace(/<skill>\n<name>\nomega[\s\S]*?<\/skill>\n/, '')),
  },
  {
    wrong: 'reads a malformed rule as one that allows everything',
    caughtBy: ['errors-malformed-rules'],
    body: results((text) => (text.includes('SKILL_NOT_FOUND') ? '<skill_content name="open">' : text)),
  },
  {
    wrong: 'takes arguments that are no JSON for none',
    caughtBy: ['errors-hostile-inputs'],
    session: (session) => ({
      call: (call, execute, options) =>
        session.call(typeof call.input === 'string' ? { ...call, input: {} } : call, execute, options),
    }),
  },
  {
    wrong: 'cleans arguments of what names a prototype, and goes on',
    caughtBy: ['errors-hostile-inputs'],
    session: (session) => ({
      call(call, execute, options) {
        const cleaned = JSON.stringify(call.input, (_, value: unknown) =>
          value instanceof Object && !Array.isArray(value)
            ? Object.fromEntries(Object.entries(value).filter(([name]) => !/^(__proto__|constructor)$/.test(name)))
            : value,
        )
        return session.call({ ...call, input: JSON.parse(cleaned) as unknown }, execute, options)
      },
    }),
  },
  {
    wrong: 'takes arguments that it cannot judge as allowed',
    caughtBy: ['errors-wrong-input-types'],
    session: ungated((tool, input) => tool === 'Bash' && typeof (input as { command?: unknown }).command !== 'string'),
  },
]
