import { escapeXml } from '@repertoire/core/adapter'
import { parsing, sending, describing, ONE_LINE, HIDDEN, type HostFault } from './break.ts'

export const listingFaults: readonly HostFault[] = [
  {
    wrong: 'replaces the instructions of the host by the list',
    fails: ['listing-instructions-kept'],
    change: () => ({ system: (instructions, list) => (list === '' ? instructions : list) }),
  },
  {
    wrong: 'offers its tools without descriptions',
    fails: ['listing-host-tools-kept'],
    change: () => ({
      body: (request) => ({
        ...request,
        tools: (request.tools ?? []).map((tool: any) => ({
          ...tool,
          function: { ...tool.function, ...(tool.function.name === 'lookup' && { description: 'A tool.' }) },
        })),
      }),
    }),
  },
  {
    wrong: 'writes the hyphens of names as spaces',
    fails: ['listing-name-and-description'],
    change: ({ list }) => ({
      list: (skills) => list(skills.map((skill) => ({ ...skill, name: skill.name.replaceAll('-', ' ') }))),
    }),
  },
  {
    wrong: 'lists twenty skills and no more',
    fails: ['listing-every-skill'],
    change: ({ list }) => ({ list: (skills) => list(skills.slice(0, 20)) }),
  },
  {
    wrong: 'shows the list in the first request alone',
    fails: ['listing-every-step'],
    change: sending((messages) =>
      messages.some(({ role }) => role === 'assistant')
        ? messages.map((message) =>
            message.role === 'system'
              ? { ...message, content: String(message.content).replace(/<skills>[^]*/, '') }
              : message,
          )
        : messages,
    ),
  },
  {
    wrong: 'shows the instructions of every skill in the list',
    fails: [
      'listing-no-bodies',
      'activation-right-skill',
      'isolation-parallel',
      'isolation-new-conversation',
      'consent-no-obeyed',
    ],
    change: () => ({
      list: (skills) =>
        skills
          .map(
            ({ name, description, body }) =>
              `${name}: ${escapeXml(description.replaceAll(HIDDEN, '').replaceAll(ONE_LINE, ' '))}\n${body}`,
          )
          .join('\n'),
    }),
  },
  {
    wrong: 'reads no further than the sign of a folded description',
    fails: ['listing-folded-text'],
    change: parsing(/description: >-/, (skill) => ({ ...skill, description: '>-' })),
  },
  {
    wrong: 'lists the first line of a description',
    fails: ['listing-literal-text'],
    change: ({ describe }) => ({ describe: (description) => describe(description.split('\n')[0]!) }),
  },
  {
    wrong: 'keeps the double quotes and escapes of YAML',
    fails: ['listing-double-quoted'],
    change: parsing(/^description: (".*")$/m, (skill, text) => ({
      ...skill,
      description: /^description: (".*")$/m.exec(text)![1]!,
    })),
  },
  {
    wrong: 'keeps the single quotes of YAML',
    fails: ['listing-single-quoted'],
    change: parsing(/^description: ('.*')$/m, (skill, text) => ({
      ...skill,
      description: /^description: ('.*')$/m.exec(text)![1]!,
    })),
  },
  {
    wrong: 'shows letters of other scripts as question marks',
    fails: ['listing-unicode'],
    change: ({ describe }) => ({
      describe: (description) => describe(description).replaceAll(/[^\p{ASCII}\u00A0-\u00FF]/gu, '?'),
    }),
  },
  {
    wrong: 'cuts descriptions after 1,000 characters',
    fails: ['listing-long-description'],
    change: ({ describe }) => ({ describe: (description) => describe(description.slice(0, 1000)) }),
  },
  {
    wrong: 'puts the list into its prompt with `replace`',
    fails: ['listing-dollar-intact'],
    change: ({ system }) => ({
      system: (instructions, list) => system(instructions, list === '' ? '' : '{list}').replace('{list}', list),
    }),
  },
  {
    wrong: 'fills placeholders in descriptions',
    fails: ['listing-unicode'],
    change: ({ describe }) => ({ describe: (description) => describe(description).replaceAll('{name}', 'toy') }),
  },
  {
    wrong: 'finds no frontmatter behind a byte order mark',
    fails: ['listing-bom', 'activation-bom'],
    change: parsing(/^\uFEFF/, () => undefined),
  },
  {
    wrong: 'finds no frontmatter whose lines end with CRLF',
    fails: ['listing-crlf', 'activation-crlf'],
    change: parsing(/^---\r\n/, () => undefined),
  },
  {
    wrong: 'refuses skills with metadata',
    fails: ['listing-standard-fields'],
    change: parsing(/^metadata:/m, () => undefined),
  },
  {
    wrong: 'refuses skills with fields that it does not know',
    fails: ['listing-unknown-fields'],
    change: parsing(/^tags:/m, () => undefined),
  },
  {
    wrong: 'loses a skill to a colon without quotes',
    fails: ['listing-unquoted-colon'],
    change: parsing(/^description: [^"'|>\n]*: /m, () => undefined),
  },
  {
    wrong: 'writes descriptions into XML as they are',
    fails: ['listing-markup-escaped'],
    change: describing((description) => description.replaceAll(HIDDEN, '').replaceAll(ONE_LINE, ' ')),
  },
  {
    wrong: 'keeps the line breaks of descriptions',
    fails: ['listing-heading-contained'],
    change: describing((description) => escapeXml(description.replaceAll(HIDDEN, ''))),
  },
  {
    wrong: 'keeps hidden characters',
    fails: ['listing-hidden-text-removed'],
    change: describing((description) => escapeXml(description.replaceAll(ONE_LINE, ' '))),
  },
  {
    wrong: 'lists skills in an order that changes',
    fails: ['listing-stable'],
    change({ list }) {
      let count = 0
      return {
        list(skills) {
          const first = count++ % Math.max(1, skills.length)
          return list([...skills.slice(first), ...skills.slice(0, first)])
        },
      }
    },
  },
  {
    wrong: 'offers its tools for skills where there is none',
    fails: ['listing-nothing-to-list'],
    change: ({ ownTools }) => ({ ownTools: () => ownTools([{ name: 'any', description: '', body: '', folder: '' }]) }),
  },
  {
    wrong: 'reads the first line of a description without quotes',
    fails: ['listing-plain-lines'],
    change: parsing(/^description: Checks .*[^.]\n {2}/m, (skill, text) => ({
      ...skill,
      description: /^description: (.*)$/m.exec(text)![1]!,
    })),
  },
  {
    wrong: 'lists names as they are written, whatever they are',
    fails: ['listing-name-escaped'],
    change: ({ parse }) => ({
      async parse(bytes, folder) {
        const [, name] = /^name: (".*")$/m.exec(Buffer.from(bytes).toString()) ?? []
        const skill = await parse(bytes, folder)
        return name === undefined || skill !== undefined
          ? skill
          : { name: JSON.parse(name) as string, description: 'Forged.', body: '', folder }
      },
    }),
  },
]
