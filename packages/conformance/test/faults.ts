import type { Repertoire, Session, SessionOptions, StepView, ToolCall } from '@repertoire/core'
import type { AdapterDriver, Conversation, TaskSetup } from '../src/driver.ts'
import { type ChatBody, type ChatMessage, loopDriver, startLoop } from './loop-driver.ts'

/** One thing that an adapter gets wrong, and the checks that must find it out. */
export interface Fault {
  /** What it does, in words. */
  readonly wrong: string
  readonly caughtBy: readonly string[]
  /** Changes what is sent to the model. */
  readonly body?: (body: ChatBody) => ChatBody
  /** Replaces parts of every session that the adapter opens. */
  readonly session?: (session: Session, task: TaskSetup) => Partial<Session>
  /** Changes the options with which the adapter opens sessions. */
  readonly options?: (options: SessionOptions) => SessionOptions
  /** Changes what the adapter was set up with. */
  readonly task?: (task: TaskSetup) => TaskSetup
  /** Replaces parts of the conversation. */
  readonly conversation?: (conversation: Conversation, task: TaskSetup) => Partial<Conversation>
}

/** The behaving loop with one fault built in. */
export function brokenDriver(fault: Fault): AdapterDriver {
  return loopDriver({
    name: fault.wrong,
    start: async (given) => {
      const task = fault.task?.(given) ?? given
      const conversation = startLoop(
        { ...task, repertoire: brokenRepertoire(task.repertoire, fault, task) },
        fault.body,
      )
      return { ...conversation, ...fault.conversation?.(conversation, task) }
    },
  })
}

function brokenRepertoire(repertoire: Repertoire, fault: Fault, task: TaskSetup): Repertoire {
  return {
    ...repertoire,
    openSession(options = {}) {
      const session = repertoire.openSession(fault.options?.(options) ?? options)
      return over(session, fault.session?.(session, task) ?? {})
    },
  }
}

/** The same object with some of its properties replaced; its getters stay alive. */
function over<T extends object>(object: T, replaced: Partial<T>): T {
  return new Proxy(object, {
    get: (target, key) =>
      (Object.hasOwn(replaced, key) ? Reflect.get(replaced, key) : Reflect.get(target, key)) as unknown,
  })
}

/** Replaces parts of what every step shows. */
function view(change: (view: StepView) => Partial<StepView>): (session: Session) => Partial<Session> {
  return (session) => ({
    beginStep(hostTools) {
      const shown = session.beginStep(hostTools)
      return { ...shown, ...change(shown) }
    },
  })
}

/** Changes the text of the system prompt. */
const system = (change: (text: string) => string) =>
  view((shown) => ({ system: (own) => change(shown.system(own) ?? '') }))

/** Changes the text of some results. */
function results(change: (text: string, message: ChatMessage) => string): (body: ChatBody) => ChatBody {
  return (body) => ({
    ...body,
    messages: body.messages.map((message) =>
      message['role'] === 'tool' ? { ...message, content: change(String(message['content']), message) } : message,
    ),
  })
}

/** Runs a call of a host's tool without asking the session, if it is one of those. */
function ungated(which: (tool: string, input: unknown) => boolean, real: (tool: string) => string = (tool) => tool) {
  return (session: Session): Partial<Session> => ({
    async call(call, execute, options) {
      if (/^skill_|_skill$|^read_skill_resource$/i.test(call.tool) || !which(call.tool, call.input)) {
        return session.call(call, execute, options)
      }
      return { ok: true, value: await execute({ ...call, tool: real(call.tool) }) }
    },
  })
}

/** The options but one. */
function without(options: SessionOptions, name: keyof SessionOptions): SessionOptions {
  return Object.fromEntries(Object.entries(options).filter(([key]) => key !== name))
}

const argument = (input: unknown, name: string): string => (input as Readonly<Record<string, string>>)[name] ?? ''

/** Ends and opens the session anew before some calls, as an adapter does that keeps its state in the wrong place. */
function forgetful(when: (call: { tool: string; input: unknown }, calls: number) => boolean) {
  return (session: Session, task: TaskSetup): Partial<Session> => {
    let current = session
    let calls = 0
    return {
      get state() {
        return current.state
      },
      beginStep: (hostTools) => current.beginStep(hostTools),
      consentFor: (call) => current.consentFor(call),
      answer: (verdict) => current.answer(verdict),
      save: () => current.save(),
      end: () => current.end(),
      call(call, execute, options) {
        if (when(call, calls++)) {
          current = task.repertoire.openSession(task.session)
          current.beginStep(task.tools.map(({ name }) => name))
        }
        return current.call(call, execute, options)
      },
    }
  }
}

let leaked: Session | undefined

export const faults: readonly Fault[] = [
  // Listing
  {
    wrong: 'shows no list of skills',
    caughtBy: [
      'listing-visible-skills',
      'errors-broken-neighbour',
      'listing-escaped',
      'listing-inactive-status',
      'listing-scope',
      'listing-style-section',
    ],
    session: view((shown) => ({
      system: (own) => own,
      tools: shown.tools.map((tool) => ({ ...tool, inputSchema: { type: 'object', properties: {} } })),
    })),
  },
  {
    wrong: 'words the guidance itself',
    caughtBy: ['listing-words-of-core', 'listing-styles-words-of-core'],
    session: system((text) => text.replace('Read a skill', 'Please read a skill')),
  },
  {
    wrong: "replaces the host's tools by the skill tools",
    caughtBy: ['listing-host-tools-kept'],
    body: (body) => ({
      ...body,
      tools: (body.tools ?? []).filter((tool) => String(tool.function['name']).includes('_skill')),
    }),
  },
  {
    wrong: 'shows the bodies of all skills at once',
    caughtBy: ['listing-no-bodies'],
    session: system((text) => `${text}\n\nWrite a survey that lets a newcomer begin. Change nothing.`),
  },
  {
    wrong: 'undoes the escaping of descriptions',
    caughtBy: ['listing-escaped'],
    session: system((text) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>')),
  },
  {
    wrong: 'puts the list into a template with String.replace',
    caughtBy: ['listing-escaped'],
    session: system((text) => 'LIST'.replace('LIST', text)),
  },
  {
    wrong: 'cuts descriptions at the first line',
    caughtBy: ['listing-escaped'],
    session: system((text) => text.replace(/(<description>\n[^\n]*)\n[\s\S]*?(\n<\/description>)/g, '$1$2')),
  },
  {
    wrong: 'offers the skill tools where no skill is visible',
    caughtBy: ['listing-nothing-visible'],
    session: view((shown) => ({
      tools:
        shown.tools.length > 0
          ? shown.tools
          : [
              {
                name: 'activate_skill',
                description: 'Activates a skill.',
                inputSchema: { type: 'object', properties: {} },
              },
            ],
    })),
  },
  {
    wrong: 'drops the allowlist of the agent',
    caughtBy: ['listing-allowlist', 'activation-invisible-skill', 'listing-nothing-visible'],
    options: (options) => without(options, 'skills'),
  },
  {
    wrong: 'drops the name of the agent',
    caughtBy: ['listing-scope'],
    options: (options) => without(options, 'agent'),
  },
  {
    wrong: 'lists drafts too',
    caughtBy: ['listing-inactive-status'],
    session: system((text) => `${text}\nrough: A skill.`),
  },
  {
    wrong: 'lists in its own style',
    caughtBy: ['listing-style-section', 'listing-style-tool'],
    session: view((shown) => ({
      system: (own) => `${own}\n<available_skills>\nEdits documentation below docs/\n</available_skills>`,
      tools: shown.tools.map((tool) => ({ ...tool, description: tool.description.split('\n')[0] ?? '' })),
    })),
  },
  {
    wrong: 'adds the list to the system prompt of the step before',
    caughtBy: ['listing-no-pile'],
    session: (session) => {
      let before = ''
      return {
        beginStep(hostTools) {
          const shown = session.beginStep(hostTools)
          return { ...shown, system: (own) => (before = [before, shown.system(own)].filter(Boolean).join('\n\n')) }
        },
      }
    },
  },
  {
    wrong: 'names the skill tools itself',
    caughtBy: ['listing-guidance-tool-names', 'listing-guidance-styles'],
    session: system((text) => text.replaceAll('use_skill', 'activate_skill')),
  },
  {
    wrong: 'offers the activation tool beside the tools of the skills',
    caughtBy: ['listing-style-tools', 'listing-styles-words-of-core'],
    session: view(({ tools }) => ({
      tools: [
        { name: 'activate_skill', description: 'Activates a skill.', inputSchema: { type: 'object', properties: {} } },
        ...tools.filter(({ name }) => name !== 'activate_skill'),
      ],
    })),
  },
  {
    wrong: 'drops what the host says of the task',
    caughtBy: ['listing-style-matched'],
    options: (options) => without(options, 'match'),
  },
  {
    wrong: 'cuts long prompts by itself',
    caughtBy: ['listing-budget', 'listing-budget-of-the-host'],
    session: system((text) => text.slice(0, 600)),
  },
  {
    wrong: 'leaves out that the list is cut',
    caughtBy: ['listing-budget'],
    session: system((text) => text.replace(/<not_listed>[\s\S]*<\/not_listed>\n|^.*for want of room.*$/gm, '')),
  },
  {
    wrong: 'puts the list together once, and shows it in every step',
    caughtBy: ['listing-after-reload', 'listing-own-tools-after-reload', 'listing-style-matched'],
    session: (session) => {
      let first: StepView | undefined
      return {
        beginStep(hostTools) {
          const shown = session.beginStep(hostTools)
          return (first ??= shown)
        },
      }
    },
  },

  // Activation
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
      consentFor: (call) => (call.tool.startsWith('skill_') ? Promise.resolve(undefined) : session.consentFor(call)),
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
      text.replace('Its instructions stand above', 'Make the smallest change that does what was asked'),
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
          if (seen.has(text)) return 'Seen already.'
          seen.add(text)
          return text
        })(body)
      }
    })(),
  },

  // Resources
  {
    wrong: 'shows files without their origin',
    caughtBy: ['resources-read'],
    body: results((text) => text.replace(/^<skill_resource[^>]*>\n([\s\S]*)\n<\/skill_resource>$/, '$1')),
  },
  {
    wrong: 'ignores the range of lines',
    caughtBy: ['resources-line-range'],
    session: (session) => ({
      call: (call, execute, options) =>
        session.call(
          call.tool === 'read_skill_resource' ? { ...call, input: { path: argument(call.input, 'path') } } : call,
          execute,
          options,
        ),
    }),
  },
  {
    wrong: 'reads whatever path it is given',
    caughtBy: ['resources-stay-inside', 'resources-missing'],
    body: results((text) => (text.includes('"RESOURCE_') ? 'root:x:0:0:root' : text)),
  },
  {
    wrong: 'follows links out of the skill',
    caughtBy: ['resources-links'],
    body: results((text) => (text.includes('"RESOURCE_REFUSED"') ? 'SECRET-OUTSIDE-OF-THE-SKILL' : text)),
  },
  {
    wrong: 'shows scripts',
    caughtBy: ['resources-scripts', 'gate-script-read'],
    body: results((text) => (text.includes('SCRIPT_READ_BLOCKED') ? '#!/bin/sh\ngit describe --tags' : text)),
  },
  {
    wrong: 'reads files of skills that are not active',
    caughtBy: ['resources-inactive-skill'],
    body: results((text) => (text.includes('SKILL_NOT_ACTIVE') ? 'Present tense, one sentence an entry.' : text)),
  },

  // Gate
  {
    wrong: 'hides nothing',
    caughtBy: ['gate-hides-tools'],
    session: view(() => ({ hides: () => false })),
  },
  {
    wrong: 'only hides tools, and runs them when they are called',
    caughtBy: [
      'gate-rogue-call',
      'gate-words-of-core',
      'gate-empty-rules',
      'gate-after-throwing-tool',
      'gate-after-abort',
      'gate-own-tool',
      'errors-endpoint-fails',
      'cleanup-ended-is-ended',
      'cleanup-resume',
    ],
    session: ungated(() => true),
  },
  {
    wrong: 'words refusals itself',
    caughtBy: ['gate-words-of-core', 'gate-rogue-call', 'consent-denied'],
    body: results((text) => (text.startsWith('{"error"') ? 'Error: that is not allowed.' : text)),
  },
  {
    wrong: 'changes the input on its way to the tool',
    caughtBy: ['gate-allowed-call'],
    session: (session) => ({
      call: (call, execute, options) =>
        session.call(
          call,
          (judged) =>
            execute({ ...judged, input: JSON.parse(JSON.stringify(judged.input).replaceAll('$&', '')) as unknown }),
          options,
        ),
    }),
  },
  {
    wrong: 'takes a skill without rules for one that allows nothing',
    caughtBy: ['gate-no-rules'],
    session: (session) => ({
      call: (call, execute, options) =>
        session.call(
          session.state.active.some(({ rules }) => rules === undefined) && ['Bash', 'Write'].includes(call.tool)
            ? { ...call, tool: 'none' }
            : call,
          execute,
          options,
        ),
    }),
  },
  {
    wrong: 'takes an empty list for no restriction',
    caughtBy: ['gate-empty-rules'],
    session: (session) => ungated(() => session.state.active.some(({ rules }) => rules?.length === 0))(session),
  },
  {
    wrong: 'knows of the rules that allow alone',
    caughtBy: ['gate-disallowed', 'gate-disallowed-resumed'],
    session: (session) => ungated(() => session.state.active.every(({ rules }) => rules === undefined))(session),
  },
  {
    wrong: 'keeps of a session what skills allow and not what they take away',
    caughtBy: ['gate-disallowed-resumed'],
    conversation: (conversation) => ({
      save: async () =>
        JSON.parse(
          JSON.stringify(await conversation.save(), (key, value: unknown) => (key === 'denied' ? undefined : value)),
        ) as unknown,
    }),
  },
  {
    wrong: 'compares tool names exactly',
    caughtBy: ['gate-tool-name-case'],
    session: (session) => ({
      call: (call, execute, options) =>
        session.call(call.tool === 'bash' ? { ...call, tool: 'no-such-tool' } : call, execute, options),
    }),
  },
  {
    wrong: 'looks tools up before it asks the session',
    caughtBy: ['gate-unknown-tool'],
    body: results((text) => (text.includes('TOOL_UNKNOWN') ? "Error: unknown tool 'rm_rf'" : text)),
  },
  {
    wrong: 'compares commands by their beginning',
    caughtBy: ['gate-shell-pattern', 'gate-compound-commands'],
    session: ungated((tool, input) => tool === 'Bash' && argument(input, 'command').startsWith('git')),
  },
  {
    wrong: 'compares paths by their beginning',
    caughtBy: ['gate-path-pattern'],
    session: ungated((tool, input) => tool === 'Write' && argument(input, 'file_path').startsWith('docs')),
  },
  {
    wrong: 'looks for the domain anywhere in the address',
    caughtBy: ['gate-url-pattern'],
    session: ungated((tool, input) => tool === 'WebFetch' && argument(input, 'url').includes('github.com')),
  },
  {
    wrong: 'reads scripts with the read tool',
    caughtBy: ['gate-script-read'],
    session: ungated((tool) => tool === 'Read'),
  },
  {
    wrong: 'judges each call of a message by what the calls before it did',
    caughtBy: ['gate-same-message'],
    session: (session, task) => ({
      async call(call, execute, options) {
        // The others of the message first, as an adapter does that carries them out one by one.
        if (call.tool === 'Write') {
          await Promise.resolve()
          await session.consentFor(call)
          session.beginStep(task.tools.map(({ name }) => name))
        }
        return session.call(call, execute, options)
      },
    }),
  },
  {
    wrong: 'judges the first call of a message only',
    caughtBy: ['gate-parallel-calls'],
    session: ungated((tool, input) => tool === 'Bash' && argument(input, 'command').startsWith('rm')),
  },
  {
    wrong: 'never lifts a restriction',
    caughtBy: ['gate-lifted-by-deactivation'],
    session: (session) => {
      let restricted = false
      return {
        call(call, execute, options) {
          restricted ||= session.state.active.length > 0
          return session.call(restricted && call.tool === 'Write' ? { ...call, tool: 'none' } : call, execute, options)
        },
      }
    },
  },
  {
    wrong: 'loses its state when a tool throws',
    caughtBy: ['gate-after-throwing-tool'],
    session: (session, task) => {
      let thrown = false
      return forgetful((call) => {
        const again = thrown
        thrown = call.tool === 'Read'
        return again
      })(session, task)
    },
  },
  {
    wrong: 'goes on after an abort',
    caughtBy: ['gate-after-abort', 'cleanup-after-abort'],
    conversation: (conversation) => ({
      send: (text, { signal } = {}) =>
        conversation.send(text, signal && {}).catch(() => ({ status: 'done', text: '' }) as const),
    }),
  },

  // Consent
  {
    wrong: 'never asks',
    caughtBy: [
      'consent-asked-before-activation',
      'consent-denied',
      'consent-only-a-clear-yes',
      'consent-once-a-session',
      'consent-digest',
      'consent-suspends',
      'consent-suspended-no',
      'consent-own-tool',
      'consent-own-tool-suspends',
      'isolation-consent',
    ],
    options: (options) => ({ ...options, consent: ({ id }) => ({ requestId: id, approved: true }) }),
  },
  {
    wrong: 'takes any answer that is not false for a yes',
    caughtBy: ['consent-only-a-clear-yes'],
    options: ({ consent, ...options }) => ({
      ...options,
      ...(consent && {
        consent: async (request, asking) =>
          (await Promise.resolve(consent(request, asking)).catch(() => true)) !== false,
      }),
    }),
  },
  {
    wrong: 'asks every time',
    caughtBy: ['consent-once-a-session', 'cleanup-resume-consent'],
    session: (session, task) => ({
      async call(call, execute, options) {
        const { consent } = task.session
        if (call.tool === 'activate_skill' && consent !== undefined && session.state.granted.length > 0) {
          const request = { id: 'again' } as never
          const answer = await consent(request, { signal: new AbortController().signal })
          if (answer !== true) return { ok: true, value: '', text: 'Denied.' }
        }
        return session.call(call, execute, options)
      },
    }),
  },
  {
    wrong: 'asks once for a name, whatever the folder holds',
    caughtBy: ['consent-digest'],
    options: ({ consent, ...options }) => {
      const known = new Set<string>()
      return {
        ...options,
        ...(consent && {
          consent: (request, asking) => {
            if (known.has(request.skill)) return true
            known.add(request.skill)
            return consent(request, asking)
          },
        }),
      }
    },
  },
  {
    wrong: 'drops the reason of a no',
    caughtBy: ['consent-suspended-no'],
    session: (session) => ({ answer: ({ requestId, approved }) => session.answer({ requestId, approved }) }),
  },
  {
    wrong: 'lets one yes serve every open question',
    caughtBy: ['consent-for-this-call-only'],
    session: (session) => ({
      answer(verdict) {
        for (const open of session.state.open)
          session.answer({ requestId: open.id, approved: verdict.approved || open.approved === undefined })
      },
    }),
  },
  {
    wrong: 'takes a yes without looking which question it answers',
    caughtBy: ['consent-not-from-before'],
    session: (session) => ({
      answer({ approved }) {
        const open = session.state.open.findLast((request) => request.approved === undefined)
        if (open !== undefined) session.answer({ requestId: open.id, approved })
      },
    }),
  },
  {
    wrong: 'goes on with an old yes for a folder that has changed',
    caughtBy: ['consent-changed-meanwhile'],
    session: (session) => {
      let yes = false
      return {
        answer(verdict) {
          yes = verdict.approved
          session.answer(verdict)
        },
        async call(call, execute, options) {
          if (yes && call.tool === 'activate_skill') {
            const request = await session.consentFor(call)
            if (request !== undefined) session.answer({ requestId: request.id, approved: true })
          }
          return session.call(call, execute, options)
        },
      }
    },
  },
  {
    wrong: 'saves the messages and not the session',
    caughtBy: ['consent-in-a-fresh-process', 'cleanup-resume', 'cleanup-resume-consent'],
    conversation: (conversation, task) => ({
      save: async () => ({
        ...((await conversation.save()) as object),
        session: task.repertoire.openSession(task.session).save(),
      }),
    }),
  },

  // Stack
  {
    wrong: 'lets any skill be left',
    caughtBy: ['stack-top-only', 'stack-words-of-core'],
    body: results((text) => (text.includes('SKILL_NOT_ON_TOP') || text.includes('SKILL_NOT_ACTIVE') ? 'Left.' : text)),
  },
  {
    wrong: 'leaves all skills at once',
    caughtBy: ['stack-order'],
    session: (session, task) => ({
      async call(call, execute, options) {
        let outcome = await session.call(call, execute, options)
        if (call.tool === 'deactivate_skill')
          while (outcome.ok && session.state.active.length > 0) {
            session.beginStep(task.tools.map(({ name }) => name))
            outcome = await session.call({ ...call, input: {} }, execute)
          }
        return outcome
      },
    }),
  },
  {
    wrong: 'carries each call of a message out as if those before it were past',
    caughtBy: ['stack-same-message'],
    session: (session, task) => {
      let last: Promise<unknown> = Promise.resolve()
      return {
        call(call, execute, options) {
          const outcome = last.then(() => {
            session.beginStep(task.tools.map(({ name }) => name))
            return session.call(call, execute, options)
          })
          last = outcome.catch(() => undefined)
          return outcome
        },
      }
    },
  },
  {
    wrong: 'lets the top skill alone decide, so that another skill widens the first',
    caughtBy: ['stack-intersection'],
    session: (session) =>
      ungated((tool) => session.state.active.at(-1)?.rules?.some((rule) => rule.tool === tool) === true)(session),
  },

  // Isolation
  {
    wrong: 'shares one session among all conversations',
    caughtBy: ['isolation-two-conversations', 'isolation-consent', 'isolation-unrestricted-neighbour'],
    task: (task) => ({
      ...task,
      repertoire: {
        ...task.repertoire,
        openSession(options) {
          // The trials of one check follow one another closely; a new check begins with a session that has ended.
          if (leaked === undefined || leaked.state.ended) leaked = task.repertoire.openSession(options)
          return leaked
        },
      },
    }),
  },

  // Errors
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

  // Cleanup
  {
    wrong: 'keeps its skills after the end of the task',
    caughtBy: ['cleanup-after-success', 'cleanup-after-error', 'cleanup-after-abort'],
    conversation: () => ({ end: () => Promise.resolve() }),
  },
  {
    wrong: 'does not hand the abort on to the model call',
    caughtBy: ['cleanup-after-abort'],
    conversation: (conversation) => ({ send: (text) => conversation.send(text) }),
  },
]

function forgetsBetweenMessages(first: Conversation, task: TaskSetup): Partial<Conversation> {
  let current = first
  let sent = 0
  return {
    send(text, options) {
      if (sent++ > 0) current = startLoop(task)
      return current.send(text, options)
    },
    active: () => (sent > 1 ? current.active() : Promise.resolve([])),
    end: () => current.end(),
  }
}
