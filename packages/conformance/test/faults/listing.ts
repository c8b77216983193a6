import type { StepView } from '@repertoire/core'
import type { ChatBody } from '../loop-driver.ts'
import { type Fault, system, view, without } from './break.ts'

/** Changes what is said of each tool that is offered. */
const describing =
  (change: (described: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>) =>
  (body: ChatBody): ChatBody => ({
    ...body,
    ...(body.tools && { tools: body.tools.map((tool) => ({ ...tool, function: change(tool.function) })) }),
  })

export const listingFaults: readonly Fault[] = [
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
    wrong: 'offers the activation of skills where there are none to be',
    caughtBy: ['listing-not-enabled'],
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
    wrong: 'words the guidance itself',
    caughtBy: ['listing-words-of-core', 'listing-styles-words-of-core'],
    session: system((text) => text.replace('When a task', 'Whenever a task')),
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
    wrong: 'cuts descriptions',
    caughtBy: ['listing-escaped'],
    session: system((text) => text.replace(/^(<skill .*?>.{20}).*?(<\/skill>)$/gm, '$1$2')),
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
    options: (options) => without(options, 'turns'),
  },
  {
    wrong: 'cuts long prompts by itself',
    caughtBy: ['listing-budget', 'listing-budget-of-the-host'],
    session: system((text) => text.slice(0, 600)),
  },
  {
    wrong: 'leaves out that the list is cut',
    caughtBy: ['listing-budget'],
    session: system((text) => text.replace(/<not_listed>[\s\S]*<\/not_listed>\n|^.*for lack of space.*$/gm, '')),
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
  {
    wrong: 'hides by itself what an active skill does not allow',
    caughtBy: ['listing-stable-tools'],
    body: (body) =>
      JSON.stringify(body.messages).includes('<skill_content')
        ? { ...body, ...(body.tools && { tools: body.tools.filter(({ function: { name } }) => name !== 'Write') }) }
        : body,
  },
  {
    wrong: 'offers every skill tool from the first request on',
    caughtBy: ['listing-tools-of-active'],
    body: (body) => {
      const [first] = (body.tools ?? []).filter((tool) => tool.function['name'] === 'activate_skill')
      const isOffered = body.tools?.some((tool) => tool.function['name'] === 'deactivate_skill')
      if (first === undefined || isOffered === true) return body
      const leave = { ...first, function: { ...first.function, name: 'deactivate_skill' } }
      return { ...body, tools: [...body.tools!, leave] }
    },
  },
  {
    wrong: 'drops the descriptions of tools',
    caughtBy: ['listing-host-tools-whole', 'listing-words-of-core'],
    body: describing((described) => ({ ...described, description: 'A tool.' })),
  },
  {
    wrong: "offers the host's tools without their parameters",
    caughtBy: ['listing-host-tools-whole'],
    body: describing((described) =>
      String(described['name']).includes('skill')
        ? described
        : { ...described, parameters: { type: 'object', properties: {} } },
    ),
  },
  {
    wrong: 'makes every parameter of a tool an optional text',
    caughtBy: ['listing-host-tools-whole'],
    body: describing(({ parameters, ...described }) => ({
      ...described,
      parameters: {
        type: 'object',
        properties: Object.fromEntries(
          Object.keys((parameters as { readonly properties?: object }).properties ?? {}).map((name) => [
            name,
            { type: 'string' },
          ]),
        ),
      },
    })),
  },
]
