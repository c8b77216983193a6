import { activate, call, deactivate, read, say, together, write } from '../../oracle/steps.ts'
import { RULED, scenariosOf, skill, slowTool, withTools } from './define.ts'

/** How tasks end, and what is left of them. */
export const cleanupScenarios = scenariosOf('cleanup', [
  {
    id: 'cleanup-another',
    area: 'cleanup',
    title:
      '[ACT-7, GATE-5, ACT-8, ASK-1] keeps conversations over one repertoire apart, ends a task whole, and restricts nothing in the next one',
    needs: ['continuation'],
    setup: {
      skills: { ...RULED, hooked: skill('Body of hooked.', 'hooks:', '  post: [tidy]') },
      hooks: [],
      mounts: true,
    },
    script: [activate('hooked'), activate('docs'), say(), write('src/a'), say()],
    forks: { beside: [write('src/b'), activate('docs'), write('src/c'), say()] },
    turns: [
      'Hello',
      { beside: 'Hello, you' },
      'Go on',
      { another: { script: [write('src/a'), activate('docs'), deactivate(), say()] } },
      'Hello again',
    ],
  },
  {
    id: 'cleanup-stopped-tool',
    area: 'cleanup',
    title:
      '[ADPT-4, ACT-7] stops a tool of the host with its run, makes no further model call, and still restricts the next message',
    needs: ['abort'],
    setup: (desk) => ({
      skills: { careful: skill('Body of careful.', 'allowed-tools: Slow Read', 'hooks:', '  post: [tidy]') },
      hooks: [],
      tools: withTools(slowTool(desk)),
    }),
    script: [activate('careful'), call('Slow'), together(read('a'), write('a')), say()],
    turns: ['Hello', 'Go on'],
    free: {
      history: 'What is kept of a stopped run is for a check of its own.',
      results: 'What is kept of a stopped run is for a check of its own.',
      systemPrompts: 'A stopped step is one for some frameworks.',
      auditEvents: 'A framework may end a stopped call in its own way.',
    },
  },
  {
    id: 'cleanup-stopped-answer',
    area: 'cleanup',
    title: '[ADPT-4, ASK-5] stops a run that an answer continued, and its tool',
    needs: ['abort', 'suspend'],
    setup: (desk) => ({ tools: withTools(slowTool(desk)), consent: 'suspend', session: { policy: { ask: ['Slow'] } } }),
    script: [call('Slow'), say('Nobody asked me.')],
    turns: [{ leave: 'Hello' }, { answer: 'open' }],
    free: {
      auditEvents: 'A framework may end a stopped call in its own way.',
      problems: 'A framework may go on for a moment.',
    },
  },
  {
    id: 'cleanup-left-waiting',
    area: 'cleanup',
    title: '[ACT-7, ACT-13] ends a task that waits for an answer: its skills are left and their hooks run',
    needs: ['suspend'],
    setup: {
      skills: { ...RULED, hooked: skill('Body of hooked.', 'hooks:', '  post: [tidy]') },
      hooks: [],
      mounts: true,
      consent: 'suspend',
    },
    script: [activate('hooked'), say(), together(read('a'), activate('docs'))],
    turns: ['Hello', { leave: 'More' }],
  },
])
