import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Descriptions as published skills have them: what the skill does, and when to use it. */
const DESCRIPTIONS: readonly (readonly [name: string, description: string])[] = [
  [
    'pdf-forms',
    'Extracts text and tables from PDF files, fills forms, and merges or splits documents. Use when the user mentions PDFs, forms, or "document extraction", or when a file ends in .pdf.',
  ],
  [
    'release-notes',
    'Writes release notes from the git history of a project, grouped by what users notice. Use when a version is about to be tagged, or when the user asks what has changed since the last release.',
  ],
  [
    'code-review',
    "Reviews a change for correctness, security and readability, and reports findings by severity. Use before a pull request is opened, or when the user asks for a second pair of eyes on someone's code.",
  ],
  [
    'sql-queries',
    'Writes and explains SQL queries for PostgreSQL, MySQL and SQLite, and finds out why a query is slow. Use for questions about data in a database, about indexes, or about the plan of a query.',
  ],
  [
    'brand-guidelines',
    'Applies the official colors, fonts and logos of the company to documents, slides and web pages. Use when anything is made that customers see, or when the user asks for the "house style".',
  ],
  [
    'spreadsheet-models',
    'Creates and edits spreadsheets with formulas, formatting and charts, and checks that totals add up. Use when a file ends in .xlsx or .csv, or when the user wants a budget, a forecast or a table.',
  ],
  [
    'incident-report',
    'Writes the report of an outage: a timeline, its causes, who was affected, and what is done about it. Use after an incident is over, or when the user asks for a post-mortem or a root cause analysis.',
  ],
  [
    'api-design',
    'Designs REST and GraphQL interfaces with consistent names, errors, paging and versions. Use when an endpoint is added or changed, or when the user asks how a resource ought to be modelled.',
  ],
  [
    'meeting-minutes',
    'Turns transcripts and notes into minutes with decisions, open questions and tasks for each person. Use when the user pastes a transcript, or asks what was decided in a meeting or a call.',
  ],
  [
    'accessibility-audit',
    'Checks web pages against WCAG 2.2 at level AA and suggests how to mend what fails. Use when a page or a component is built or reviewed, or when the user mentions screen readers or contrast.',
  ],
]

const GUIDE = 'references/guide.md'
const BODY = `# Instructions

1. Look at what the user has given you, and at what is missing.
2. Read ${GUIDE} for the cases that are not covered here.
3. Say what you have checked.
`

/** A skill with a file beside its SKILL.md. */
export interface PublishedSkill {
  readonly name: string
  readonly description: string
  readonly body: string
  /** By their paths, SKILL.md included. */
  readonly files: Readonly<Record<string, string>>
}

/** Returns some skills: the published ones, and then the same under other names. */
export function publishedSkills(count: number): readonly PublishedSkill[] {
  return Array.from({ length: count }, (_, index) => {
    const [published, description] = DESCRIPTIONS[index % DESCRIPTIONS.length]!
    const version = Math.floor(index / DESCRIPTIONS.length)
    const name = version === 0 ? published : `${published}-${version}`
    const files = {
      'SKILL.md': `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n${BODY}`,
      [GUIDE]: 'All other cases are alike.\n',
    }
    return { name, description, body: BODY, files }
  })
}

/** Writes skills into a folder. */
export function writeSkills(folder: string, skills: readonly PublishedSkill[]): void {
  for (const { name, files } of skills) {
    for (const [path, content] of Object.entries(files)) {
      const file = join(folder, name, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
    }
  }
}
