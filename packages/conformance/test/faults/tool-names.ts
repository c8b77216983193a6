import { dropping, type Fault, results, view, whereSaved } from './break.ts'

const OWN = /^(?:readDoc|putDoc|runCommand|browse)$/

export const toolNamesFaults: readonly Fault[] = [
  {
    wrong: "drops the host's table of its tools",
    caughtBy: [
      'gate-own-names',
      'gate-own-names-hidden',
      'gate-own-names-resumed',
      'listing-guidance-own-names',
      'consent-own-names',
      'consent-own-names-suspended',
      'navigation-own-names',
    ],
    options: dropping('toolMap'),
  },
  {
    wrong: "goes on without the host's table in another process",
    caughtBy: ['gate-own-names-resumed'],
    options: whereSaved(dropping('toolMap')),
  },
  {
    wrong: 'compares the names of tools with the lists of skills itself, to hide them',
    caughtBy: ['gate-own-names-hidden'],
    session: (session) =>
      view((shown) => ({
        isHidden: (tool) =>
          OWN.test(tool)
            ? session.state.active.some(({ rules }) => rules?.every((rule) => rule.tool !== tool))
            : shown.isHidden(tool),
      }))(session),
  },
  {
    wrong: 'begins its steps without the names of the tools',
    caughtBy: ['consent-own-names', 'consent-own-names-suspended', 'listing-guidance-own-names'],
    session: (session, task) =>
      task.tools.some(({ name }) => OWN.test(name)) ? { beginStep: () => session.beginStep([]) } : {},
  },
  {
    wrong: 'words the refusal of unknown tools itself, and names none',
    caughtBy: ['navigation-own-names'],
    body: results((text) => (text.includes('TOOL_UNKNOWN') ? 'Error: there is no such tool.' : text)),
  },
  {
    wrong: 'shows refusals in the names that skills use',
    caughtBy: ['gate-own-names'],
    body: results((text) => (text.startsWith('{"error"') ? text.replaceAll('readDoc', 'Read') : text)),
  },
]
