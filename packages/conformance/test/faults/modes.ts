import { dropping, type Fault, results, view, whereSaved } from './break.ts'

/** Ends the task with every message. */
const endsAfterMessages: Fault['conversation'] = (conversation) => ({
  async send(text, options) {
    const turn = await conversation.send(text, options)
    await conversation.end()
    return turn
  },
})

export const modesFaults: readonly Fault[] = [
  {
    wrong: 'drops the mode that the host wants',
    caughtBy: ['gate-mode-preapprove', 'gate-mode-advisory', 'gate-mode-resumed', 'gate-policy-hides'],
    options: dropping('enforcement'),
  },
  {
    wrong: "drops the host's policy",
    caughtBy: [
      'gate-host-policy',
      'gate-effective-tools',
      'gate-mode-preapprove',
      'gate-mode-advisory',
      'gate-mode-resumed',
      'gate-policy-hides',
      'forks-policy',
    ],
    options: dropping('policy'),
  },
  {
    wrong: 'drops the choice of the skills whose rules count',
    caughtBy: ['gate-from-top'],
    options: dropping('enforcement'),
  },
  {
    wrong: 'goes on in the mode of the process before',
    caughtBy: ['gate-mode-resumed'],
    options: whereSaved((options) => ({ ...options, enforcement: 'advisory' })),
  },
  {
    wrong: 'hides tools by the lists of skills, whatever the mode',
    caughtBy: ['gate-policy-hides'],
    session: (session) =>
      view(() => ({ isHidden: (tool) => session.state.active.length > 0 && tool !== 'Bash' }))(session),
  },
  {
    wrong: 'loses what is passed to a skill behind its first line',
    caughtBy: ['activation-arguments', 'activation-arguments-appended'],
    session: (session) => ({
      call: (call, execute, options) =>
        session.call(
          { ...call, input: JSON.parse(JSON.stringify(call.input).replaceAll(/\\n[^"\\]*/g, '')) as unknown },
          execute,
          options,
        ),
    }),
  },
  {
    wrong: 'tries what was refused once more',
    caughtBy: ['activation-hook-stops'],
    session: (session) => ({
      async call(call, execute, options) {
        const outcome = await session.call(call, execute, options)
        return outcome.ok ? outcome : session.call(call, execute, options)
      },
    }),
  },
  {
    wrong: 'ends its task with every message',
    caughtBy: ['activation-hooks-order'],
    conversation: endsAfterMessages,
  },
  {
    wrong: 'ends its task with every message, before it is saved',
    caughtBy: ['activation-hooks-resumed', 'activation-mount-resumed'],
    because: 'has ended. Open a new one.',
    conversation: endsAfterMessages,
  },
  {
    wrong: 'gives the model the real place of what is private',
    caughtBy: ['activation-mount'],
    body: results((text) => text.replaceAll('private:/.skills', '/real/.skills')),
  },
]
