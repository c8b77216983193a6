import { type Fault, argument, forgetful, results, ungated, view, without } from './break.ts'

export const gateFaults: readonly Fault[] = [
  {
    wrong: 'hides nothing',
    caughtBy: ['gate-hides-tools'],
    session: view(() => ({ isHidden: () => false })),
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
      'gate-host-policy',
      'gate-mode-preapprove',
      'gate-command-table',
      'audit-events',
      'audit-required',
    ],
    session: ungated(() => true),
  },
  {
    wrong: 'words refusals itself',
    caughtBy: [
      'gate-words-of-core',
      'gate-rogue-call',
      'consent-denied',
      'activation-hook-stops',
      'forks-consent',
      'audit-required',
    ],
    body: results((text) => (text.startsWith('{"error"') ? 'Error: that is not allowed.' : text)),
  },
  {
    wrong: 'shows in a refusal what the last skill allows',
    caughtBy: ['gate-effective-tools'],
    body: results((text) => text.replace('"allowedTools":["Read"]', '"allowedTools":["Read","Write","WebFetch"]')),
  },
  {
    wrong: 'changes the input on its way to the tool',
    caughtBy: ['gate-allowed-call'],
    session: (session) => ({
      call: (call, execute, options) =>
        session.call(
          call,
          (judged) =>
            execute?.({ ...judged, input: JSON.parse(JSON.stringify(judged.input).replaceAll('$&', '')) as unknown }),
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
    session: (session, task) =>
      task.saved === undefined
        ? {}
        : ungated(() => session.state.active.every(({ rules }) => rules === undefined))(session),
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
    caughtBy: ['gate-shell-pattern', 'gate-compound-commands', 'gate-command-table'],
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
          await session.openConsent(call)
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
  {
    wrong: 'drops the working folder of the host',
    caughtBy: ['gate-working-folder'],
    options: (options) => without(options, 'cwd'),
  },
]
