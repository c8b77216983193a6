import { type Fault, results } from './break.ts'

export const navigationFaults: readonly Fault[] = [
  {
    wrong: 'shortens refusals to their first sentence',
    caughtBy: [
      'navigation-relative-path',
      'navigation-file-name',
      'navigation-script-read',
      'navigation-skill-name',
      'gate-words-of-core',
    ],
    body: results((text) =>
      text.startsWith('{"error"') ? text.replace(/("reason":".*?)\. [^]*?"(?=[,}])/, '$1."') : text,
    ),
  },
  {
    wrong: 'looks all tools up by their exact names',
    caughtBy: ['navigation-tool-case', 'gate-tool-name-case'],
    session: (session, { tools }) => ({
      call(call, execute, options) {
        const isExact = /^[a-z]+_skill(_resource)?$/.test(call.tool) || tools.some(({ name }) => name === call.tool)
        return session.call(isExact ? call : { ...call, tool: 'no-such-tool' }, execute, options)
      },
    }),
  },
  {
    wrong: 'says of arguments that they are wrong, and not how',
    caughtBy: ['navigation-arguments-as-text', 'errors-hostile-texts', 'errors-null-arguments'],
    body: results((text) =>
      text.includes('INPUT_INVALID') ? '{"error":{"code":"INPUT_INVALID","reason":"Wrong."}}' : text,
    ),
  },
]
