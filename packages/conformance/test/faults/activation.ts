import type { ToolCall, ToolDefinition } from '@repertoire/core'
import { type Fault, argument, forgetsBetweenMessages, results } from './break.ts'

export const activationFaults: readonly Fault[] = [
  {
    wrong: 'never asks which model a skill is for',
    caughtBy: ['activation-model'],
    session: () => ({ skillModel: () => undefined }),
  },
  {
    wrong: 'tells nobody that the model of a skill is not called',
    caughtBy: ['activation-model-missing'],
    options: (options) => ({ ...options, onProblem: () => undefined }),
  },
  {
    wrong: 'goes by the skills that the step has shown',
    caughtBy: ['activation-after-reload'],
    session: (session) => {
      let shown = ''
      const isOfStep = ({ tool, input }: ToolCall): boolean =>
        (tool !== 'activate_skill' && !tool.startsWith('skill_')) ||
        shown.includes(JSON.stringify(tool === 'activate_skill' ? argument(input, 'name') : tool))
      return {
        beginStep(hostTools) {
          const step = session.beginStep(hostTools)
          shown = JSON.stringify(step.tools)
          return step
        },
        call: (call, execute, options) =>
          session.call(isOfStep(call) ? call : { ...call, tool: 'no-such-tool' }, execute, options),
      }
    },
  },
  {
    wrong: 'activates from memory what has gone since the step',
    caughtBy: ['activation-after-reload'],
    body: results((text, { tool_call_id: id }) =>
      id === 'call_1_1' && /SKILL_NOT_FOUND|TOOL_UNKNOWN/.test(text) ? '<skill_content name="early">' : text,
    ),
  },
  {
    wrong: 'takes a tool of the host for that of a skill',
    caughtBy: ['activation-own-tool-of-the-host'],
    session: (session) => ({
      call: (call, execute, options) =>
        session.call(call.tool.startsWith('skill_') ? { ...call, tool: 'no-such-tool' } : call, execute, options),
    }),
  },
  {
    wrong: 'looks skill tools up by the names that it knows of',
    caughtBy: [
      'activation-own-tool',
      'activation-own-tool-odd-names',
      'activation-unlisted',
      'activation-after-reload',
      'gate-own-tool',
      'consent-own-tool',
      'consent-own-tool-suspends',
    ],
    session: (session) => ({
      call: (call, execute, options) =>
        session.call(/^skill_/i.test(call.tool) ? { ...call, tool: 'no-such-tool' } : call, execute, options),
    }),
  },
  {
    wrong: 'tells that the tool of an invisible skill exists',
    caughtBy: ['activation-own-tool-words'],
    body: results((text) =>
      text.replace('There is no tool \\"skill_repo-survey\\"', 'You may not use the tool \\"skill_repo-survey\\"'),
    ),
  },
  {
    wrong: 'offers no tool whose name it finds odd',
    caughtBy: ['activation-own-tool-odd-names'],
    body: (body) => ({
      ...body,
      tools: (body.tools ?? []).filter((tool) => !/_[a-z2-7]{16}$/.test(String(tool.function['name']))),
    }),
  },
  {
    wrong: 'drops arguments that the schema of a tool does not name',
    caughtBy: ['activation-arguments-unnamed'],
    session: (session) => {
      let tools: readonly ToolDefinition[] = []
      return {
        beginStep(hostTools) {
          const shown = session.beginStep(hostTools)
          tools = shown.tools
          return shown
        },
        call(call, execute, options) {
          const schema = tools.find(({ name }) => name === call.tool)?.inputSchema
          if (schema === undefined) return session.call(call, execute, options)
          const named = Object.keys((schema['properties'] as object | undefined) ?? {})
          const input = Object.fromEntries(Object.entries(call.input as object).filter(([key]) => named.includes(key)))
          return session.call({ ...call, input }, execute, options)
        },
      }
    },
  },
  {
    wrong: 'takes calls only of the skills that its first step listed',
    caughtBy: ['activation-unlisted', 'activation-after-reload'],
    session: (session) => {
      let listed: string | undefined
      return {
        beginStep(hostTools) {
          const shown = session.beginStep(hostTools)
          listed ??= JSON.stringify(shown.tools)
          return shown
        },
        call(call, execute, options) {
          const wanted = call.tool === 'activate_skill' ? argument(call.input, 'name') : call.tool
          const isSkill = call.tool === 'activate_skill' || call.tool.startsWith('skill_')
          const isListed = listed?.includes(JSON.stringify(wanted)) === true
          return session.call(isSkill && !isListed ? { ...call, tool: 'no-such-tool' } : call, execute, options)
        },
      }
    },
  },
  {
    wrong: 'asks for consent only where the activation tool is called',
    caughtBy: ['consent-own-tool-suspends'],
    session: (session) => ({
      openConsent: (call) =>
        'tool' in call && call.tool.startsWith('skill_') ? Promise.resolve(undefined) : session.openConsent(call),
    }),
  },
  {
    wrong: 'shows the model a short acknowledgement instead of the instructions',
    caughtBy: [
      'activation-content',
      'activation-words-of-core',
      'activation-tool-name-case',
      'activation-again-after-leaving',
      'activation-once-in-context',
      'cleanup-resume-consent',
      'consent-suspends',
      'consent-for-this-call-only',
      'consent-in-a-fresh-process',
    ],
    body: results((text) => (text.startsWith('<skill_content') ? 'The skill is active.' : text)),
  },
  {
    wrong: 'keeps a body that it has read before',
    caughtBy: ['activation-body-read-late'],
    body: results((text) => text.replace('The new body.', 'The old body.')),
  },
  {
    wrong: 'activates a skill from what the catalog remembers of it',
    caughtBy: ['activation-broken-meanwhile'],
    body: results((text) => (text.includes('SKILL_BROKEN') ? 'The skill is active.' : text)),
  },
  {
    wrong: 'words its own error for an unknown skill',
    caughtBy: ['activation-unknown-skill', 'errors-malformed-rules'],
    body: results((text) => (text.includes('SKILL_NOT_FOUND') ? 'Error: no such skill.' : text)),
  },
  {
    wrong: 'tells that an invisible skill exists',
    caughtBy: ['activation-invisible-skill'],
    body: results((text) =>
      text.replace('There is no skill \\"repo-survey\\"', 'You may not use the skill \\"repo-survey\\"'),
    ),
  },
  {
    wrong: 'turns an input of the wrong type into a string',
    caughtBy: ['activation-empty-name'],
    session: (session) => ({
      call: (call, execute, options) =>
        session.call(
          call.tool === 'activate_skill'
            ? { ...call, input: { name: String((call.input as { name?: unknown }).name) } }
            : call,
          execute,
          options,
        ),
    }),
  },
  {
    wrong: 'looks skill tools up by their exact names',
    caughtBy: ['activation-tool-name-case'],
    body: results((text, { tool_call_id: id }) =>
      id === 'call_1_1' && text.startsWith('<skill_content') ? 'Error: no such tool.' : text,
    ),
  },
  {
    wrong: 'gives the body again at a second activation',
    caughtBy: ['activation-twice'],
    body: results((text) =>
      text.replace('Its instructions are above', 'Make the smallest change that does what was asked'),
    ),
  },
  {
    wrong: 'puts the activated instructions into the system prompt too',
    caughtBy: ['activation-once-in-context'],
    body: (body) => ({
      ...body,
      messages: [
        ...body.messages.slice(0, 1),
        ...(JSON.stringify(body.messages).includes('Make the smallest change')
          ? [{ role: 'system', content: 'Make the smallest change that does what was asked.' }]
          : []),
        ...body.messages.slice(1),
      ],
    }),
  },
  {
    wrong: "forgets its skills at the user's next message",
    caughtBy: ['activation-survives-turns', 'stack-order'],
    conversation: (conversation, task) => forgetsBetweenMessages(conversation, task),
  },
  {
    wrong: 'activates each skill once only',
    caughtBy: ['activation-again-after-leaving'],
    body: (() => {
      return (body) => {
        const seen = new Set<string>()
        return results((text) => {
          if (!text.startsWith('<skill_content')) return text
          const [instructions = ''] = text.split('</skill_content>')
          if (seen.has(instructions)) return 'Seen already.'
          seen.add(instructions)
          return text
        })(body)
      }
    })(),
  },
]
