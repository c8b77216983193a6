import { activate, bash, call, read, say, saying, write } from '../../oracle/steps.ts'
import { FORKS, forked, freely, scenariosOf, slowTool, withTools } from './define.ts'

/** Sub-agents that come to no end, or are stopped. */
export const forkEndScenarios = scenariosOf('forks', [
  {
    id: 'forks-endless',
    title: '[ACT-10] reports a sub-agent that reaches its limit to the model as FORK_FAILED, and goes on',
    setup: { skills: FORKS, hooks: [], maxSteps: 20 },
    script: [activate('helper', 'without end'), write('src/a'), say('I went on.')],
    forks: { 'without end': Array.from({ length: 30 }, () => saying('Still.', read('docs/a'))) },
    free: freely(
      'A framework counts the steps of a sub-agent in its own way.',
      'systemPrompts',
      'offeredTools',
      'toolRuns',
      'turnTexts',
      'history',
      'auditEvents',
      'usage',
    ),
  },
  {
    id: 'forks-stopped',
    title: '[ACT-10, ACT-7] stops a sub-agent at work when the run is stopped, and leaves none of its skills active',
    needs: ['abort'],
    setup: (desk) => ({
      skills: { ...FORKS, free: forked('Body of free.', 'hooks:', '  post: [swept]') },
      hooks: [],
      tools: withTools(slowTool(desk)),
    }),
    script: [activate('free')],
    forks: { 'Body of free.': [call('Slow'), bash('rm -rf .'), say('Too late.')] },
    free: { auditEvents: 'What has stopped first is a matter of time.' },
  },
  {
    id: 'forks-stopped-model',
    title: "[ACT-10, ACT-12, ACT-7] stops a sub-agent that a person's message began while its model answers",
    needs: ['abort'],
    setup: { skills: { ...FORKS, free: forked('Body of free.', 'hooks:', '  post: [swept]') }, hooks: [] },
    script: [],
    forks: { 'Body of free.': [{ stop: true }, bash('rm -rf .')] },
    turns: ['/free'],
  },
])
