import { escapeXml } from '@repertoire/core/adapter'
import { fault, type HostFault, losing, parsing, sending } from './break.ts'
import { HIDDEN } from '../toy-host.ts'

export const listingFaults: readonly HostFault[] = [
  fault('replaces the instructions of the host by the list', 'listing-instructions-kept', () => ({
    system: (instructions, list) => (list === '' ? instructions : list),
  })),
  fault('offers its tools without descriptions', 'listing-host-tools-kept', () => ({
    body: (request) => ({
      ...request,
      tools: (request.tools ?? []).map((tool: any) => ({
        ...tool,
        function: { ...tool.function, ...(tool.function.name === 'lookup' && { description: 'A tool.' }) },
      })),
    }),
  })),
  fault('writes the hyphens of names as spaces', 'listing-name-and-description', ({ list }) => ({
    list: (skills) => list(skills.map((skill) => ({ ...skill, name: skill.name.replaceAll('-', ' ') }))),
  })),
  fault('lists twenty skills and no more', 'listing-every-skill', ({ list }) => ({
    list: (skills) => list(skills.slice(0, 20)),
  })),
  sending('shows the list in the first request alone', 'listing-every-step', (messages) =>
    messages.some(({ role }) => role === 'assistant')
      ? messages.map((message) =>
          message.role === 'system'
            ? { ...message, content: String(message.content).replace(/<skills>[^]*/, '') }
            : message,
        )
      : messages,
  ),
  fault(
    'shows the instructions of every skill in the list',
    'listing-no-bodies',
    ({ list }) => ({ list: (skills) => [list(skills), ...skills.map(({ body }) => body)].join('\n') }),
    { implies: /^(?:activation-right-skill|isolation-parallel|isolation-new-conversation|consent-no-obeyed)$/ },
  ),
  parsing(
    'reads no further than the sign of a folded description',
    'listing-folded-text',
    /description: >-/,
    (skill) => ({ ...skill, description: '>-' }),
  ),
  fault('lists the first line of a description', 'listing-literal-text', ({ describe }) => ({
    describe: (description) => describe(description.split('\n')[0]!),
  })),
  parsing(
    'keeps the double quotes and escapes of YAML',
    'listing-double-quoted',
    /^description: (".*")$/m,
    (skill, text) => ({
      ...skill,
      description: /^description: (".*")$/m.exec(text)![1]!,
    }),
  ),
  parsing('keeps the single quotes of YAML', 'listing-single-quoted', /^description: ('.*')$/m, (skill, text) => ({
    ...skill,
    description: /^description: ('.*')$/m.exec(text)![1]!,
  })),
  fault('shows letters of other scripts as question marks', 'listing-unicode', ({ describe }) => ({
    describe: (description) => describe(description).replaceAll(/[^\p{ASCII}\u00A0-\u00FF]/gu, '?'),
  })),
  fault('cuts descriptions after 1,000 characters', 'listing-long-description', ({ describe }) => ({
    describe: (description) => describe(description.slice(0, 1000)),
  })),
  fault('puts the list into its prompt with `replace`', 'listing-dollar-intact', ({ system }) => ({
    system: (instructions, list) => system(instructions, list === '' ? '' : '{list}').replace('{list}', list),
  })),
  fault('fills placeholders in descriptions', 'listing-unicode', ({ describe }) => ({
    describe: (description) => describe(description).replaceAll('{name}', 'toy'),
  })),
  losing('finds no frontmatter behind a byte order mark', ['listing-bom', 'activation-bom'], /^\uFEFF/),
  losing('finds no frontmatter whose lines end with CRLF', ['listing-crlf', 'activation-crlf'], /^---\r\n/),
  losing('refuses skills with metadata', 'listing-standard-fields', /^metadata:/m),
  losing('refuses skills with fields that it does not know', 'listing-unknown-fields', /^tags:/m),
  losing('loses a skill to a colon without quotes', 'listing-unquoted-colon', /^description: [^"'|>\n]*: /m),
  fault('writes descriptions into XML as they are', 'listing-markup-escaped', () => ({
    describe: (description) => description.replaceAll(HIDDEN, '').replaceAll(/\s+/g, ' '),
  })),
  fault('keeps the line breaks of descriptions', 'listing-heading-contained', () => ({
    describe: (description) => escapeXml(description.replaceAll(HIDDEN, '')),
  })),
  fault('keeps hidden characters', 'listing-hidden-text-removed', () => ({
    describe: (description) => escapeXml(description.replaceAll(/\s+/g, ' ')),
  })),
  fault('lists skills in an order that changes', 'listing-stable', ({ list }) => {
    let count = 0
    return {
      list(skills) {
        const first = count++ % Math.max(1, skills.length)
        return list([...skills.slice(first), ...skills.slice(0, first)])
      },
    }
  }),
  fault('offers its tools for skills where there is none', 'listing-nothing-to-list', ({ ownTools }) => ({
    ownTools: () => ownTools([{ name: 'any', description: '', body: '', folder: '' }]),
  })),
  parsing(
    'reads the first line of a description without quotes',
    'listing-plain-lines',
    /^description: Checks .*[^.]\n {2}/m,
    (skill, text) => ({
      ...skill,
      description: /^description: (.*)$/m.exec(text)![1]!,
    }),
  ),
  fault('lists names as they are written, whatever they are', 'listing-name-escaped', ({ parse }) => ({
    async parse(bytes, folder) {
      const [, name] = /^name: (".*")$/m.exec(Buffer.from(bytes).toString()) ?? []
      const skill = await parse(bytes, folder)
      return name === undefined || skill !== undefined
        ? skill
        : { name: JSON.parse(name) as string, description: 'Forged.', body: '', folder }
    },
  })),
]
