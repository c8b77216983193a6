import { type Fault, argument, results } from './break.ts'

export const resourcesFaults: readonly Fault[] = [
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
]
