import type { CheckArea } from './check.ts'

const CALL = '`call` around every tool'

/** What an adapter must do for each group of checks. */
const PARTS: Readonly<Record<CheckArea, string>> = {
  listing: '`beginStep` before every model call, and the view that it returns',
  activation: CALL,
  resources: CALL,
  scripts: `${CALL} with the run's signal, and the tools of the view, which come and go`,
  execution: `${CALL}, \`ready\` before every \`beginStep\`, and the tools of the view with their schemas`,
  gate: CALL,
  consent: '"Consent" and "The host\'s own approval"',
  stack: CALL,
  isolation: 'one session for each task, `beginStep` and `call`',
  errors: `${CALL}, and the rules that hold in all frameworks`,
  cleanup: '"The end"',
  turns: "`beginTurn` with every person's message",
  history: '"The history"',
  forks: '`fork`, handed to `call` and `beginTurn`',
  audit: '`beginStep` with the model, `recordUsage`, and `call` around every tool',
  window: '"The window"',
  navigation: `${CALL}, with the arguments as the model wrote them`,
}

const NOTHING_SEEN = /saw (?:\[\]|""|undefined|"none")$/m

/** Returns a reference to the guide for a failure that only says that something did not happen; otherwise undefined. */
export function hintFor(area: CheckArea, reason: string): string | undefined {
  return NOTHING_SEEN.test(reason) ? `See docs/adapters.md: ${PARTS[area]}.` : undefined
}
