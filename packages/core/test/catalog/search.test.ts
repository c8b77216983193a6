import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { foreign } from '@repertoire/test-servers/properties'
import { type SkillRank, type SkillSource, memorySource, openRepertoire } from '../../src/index.ts'
import { mapped } from '../mapped-source.ts'

const manifest = (name: string, description: string, { fields = '', body = 'Do it.' } = {}): string =>
  `---\nname: ${name}\ndescription: ${description}\n${fields}---\n${body}\n`

const SKILLS = {
  pdf: manifest('pdf', 'Reads documents.', { body: 'Use qpdf.' }),
  'pdf-merge': manifest('pdf-merge', 'Joins documents.'),
  'pdfium-tools': manifest('pdfium-tools', 'Renders pages.'),
  reports: manifest('reports', 'Writes a PDF, and pdf again, as a pdf or a PDF: pdf, pdf, pdf.'),
  slides: manifest('slides', 'Makes presentations.', { fields: 'tags: [powerpoint]\n', body: 'First export to PDF.' }),
  deploy: manifest('deploy', 'Puts a build on a server.', { fields: 'scope:\n  agents: [operator]\n' }),
  secret: manifest('secret', 'Puts keys on a server.', { fields: 'disable-model-invocation: true\n' }),
}

const sourceOf = (skills: Readonly<Record<string, string>>, id = 'here'): SkillSource =>
  memorySource({
    id,
    layer: 'project',
    skills: Object.fromEntries(Object.entries(skills).map(([name, text]) => [name, { 'SKILL.md': text }])),
  })

const opened = (skills: Readonly<Record<string, string>> = SKILLS) => openRepertoire({ sources: [sourceOf(skills)] })

const names = (search: { readonly hits: readonly { readonly name: string }[] }): readonly string[] =>
  search.hits.map(({ name }) => name)

describe('catalog.search', () => {
  it('[MATCH-1] ranks the exact name first, then a word of a name, a part of a name, a description, and a body last', async () => {
    const { catalog } = await opened()
    expect(names(await catalog.search('pdf'))).toEqual(['pdf', 'pdf-merge', 'pdfium-tools', 'reports', 'slides'])
    expect(names(await catalog.search('PDF Merge'))).toEqual(expect.arrayContaining(['pdf-merge']))
    expect(names(await catalog.search('PDF Merge'))[0]).toBe('pdf-merge')
    expect(names(await catalog.search(['writes', 'slides']))[0]).toBe('slides')
  })

  it('[MATCH-1] finds a skill by its name among similar names, hidden ones too', async () => {
    const { catalog } = await opened({
      pdf_forms: manifest('pdf_forms', 'Hidden.', { fields: 'scope:\n  agents: [operator]\n' }),
      'pdf-forms': manifest('pdf-forms', 'Fills.'),
      'Pdf-Forms': manifest('Pdf-Forms', 'Fills, and fills in forms.'),
      other: manifest('other', 'PDF forms: pdf-forms and pdf forms.'),
    })
    expect(names(await catalog.search('pdf-forms'))).toEqual(['pdf-forms', 'Pdf-Forms', 'other'])
    expect(names(await catalog.search('Pdf-Forms'))[0]).toBe('Pdf-Forms')
    const { hits } = await catalog.search('pdf-forms', { viewer: { agent: 'operator' } })
    expect(hits[0]).toMatchObject({ name: 'pdf-forms', description: 'Fills.', score: 1 })
  })

  it.each([
    'Please fill these with pdf-forms before the meeting on Friday.',
    'Could you open the report, fill the PDF forms, write the tests and deploy the build on a server?',
    `${'We talked about reports and slides at length. '.repeat(400)}Now use \`pdf_forms\`.`,
    'Fill all PDF forms with the reports, tests and builds of the meeting about presentations and documents.',
    '/pdf-forms is what I want; it joins and merges documents, pages and presentations.',
  ])('[MATCH-1] finds a skill first that a message names: %.40s', async (message) => {
    const { catalog } = await opened({
      ...SKILLS,
      'pdf-forms': manifest('pdf-forms', 'Fills in what others left empty.'),
      meeting: manifest('meeting', 'Reports on PDF, forms, tests and builds: pdf forms, meeting, meeting.'),
    })
    expect(names(await catalog.search(message))[0]).toBe('pdf-forms')
  })

  it('[MATCH-1] finds a name of one word in the plural, and with no other ending', async () => {
    const { catalog } = await opened({
      review: manifest('review', 'Looks at it.'),
      meeting: manifest(
        'meeting',
        'The reviews, reviewers and processes of reports, tests, builds, reviews, processes.',
      ),
    })
    expect(names(await catalog.search('reviews of reports, tests, builds and processes'))[0]).toBe('review')
    expect(names(await catalog.search('the reviewers of reports, tests, builds and processes'))[0]).toBe('meeting')
  })

  it('[MATCH-1] matches no part of a word as a name, and finds no hidden name', async () => {
    const { catalog } = await opened({
      port: manifest('port', 'Opens a port.'),
      deploy: SKILLS.deploy,
      report: manifest('report', 'Writes a support report.'),
    })
    expect(names(await catalog.search('Write a support report for transport.'))[0]).toBe('report')
    expect(names(await catalog.search('deploy the report please'))).not.toContain('deploy')
    const { hits } = await catalog.search('deploy the report please', { viewer: { agent: 'operator' } })
    expect(
      hits
        .slice(0, 2)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(['deploy', 'report'])
  })

  it('[MATCH-1] finds a one-word name even if a quarter of the skills use that word', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 100 }, (_, n) => [
        `skill-${n}`,
        manifest(`skill-${n}`, n % 4 === 0 ? 'Runs a test of it.' : 'Does something else.'),
      ]),
    )
    const invoices = manifest('invoices', 'Sends a customer the invoice of the month and a test of it.')
    const { catalog } = await opened({ ...many, test: manifest('test', 'Checks.'), invoices })
    const message = 'Send the customer the invoice of the month, and test it.'
    expect(names(await catalog.search(message))[0]).toBe('invoices')
    expect(names(await catalog.search('test'))[0]).toBe('test')
  })

  it('[MATCH-1] returns the best up to the limit, and none where none fits', async () => {
    const { catalog } = await opened()
    expect(names(await catalog.search('pdf', { limit: 2 }))).toEqual(['pdf', 'pdf-merge'])
    expect(await catalog.search('zebra crossing')).toEqual({ hits: [], diagnostics: [] })
    expect(await catalog.search(['', ' '])).toEqual({ hits: [], diagnostics: [] })
  })

  it('[MATCH-3] has scores from 1 down', async () => {
    const { catalog } = await opened()
    const { hits } = await catalog.search(['export a powerpoint', 'presentation'])
    expect(hits[0]).toEqual({
      name: 'slides',
      description: 'Makes presentations.',
      score: 1,
    })
    const { hits: all } = await catalog.search('merge documents into a pdf')
    expect(all.map(({ score }) => score)).toEqual(all.map(({ score }) => score).toSorted((a, b) => b - a))
    expect(all.every(({ score }) => score > 0 && score <= 1)).toBe(true)
  })

  it('[MATCH-6] filters by what the viewer may see before it takes the best', async () => {
    const { catalog } = await opened()
    const query = 'server'
    expect(names(await catalog.search(query))).toEqual([])
    expect(names(await catalog.search(query, { viewer: { agent: 'operator' }, limit: 1 }))).toEqual(['deploy'])
    expect(names(await catalog.search(query, { viewer: { person: true } }))).toEqual(['secret'])
    expect(names(await catalog.search('secret'))).toEqual([])
    expect(names(await catalog.search('pdf', { viewer: { skills: ['slides', 'reports'] }, limit: 1 }))).toEqual([
      'reports',
    ])
  })

  it('[MATCH-6] answers from one snapshot, whatever a reload changes meanwhile', async () => {
    let skills: Readonly<Record<string, string>> = { old: manifest('old', 'Edits audio.') }
    const source: SkillSource = { id: 'x', layer: 'project', scan: () => sourceOf(skills, 'x').scan() }
    const repertoire = await openRepertoire({ sources: [source] })
    const searching = repertoire.catalog.search('audio')
    skills = { new: manifest('new', 'Edits audio.') }
    await repertoire.reload({ force: true })
    expect(names(await searching)).toEqual(['old'])
    expect(names(await repertoire.catalog.search('audio'))).toEqual(['new'])
  })

  it('[MATCH-6, CAT-4] finds skills after a reload by their new texts, and no longer by the old ones', async () => {
    const skills: Record<string, string> = { a: manifest('a', 'One.', { body: 'Edits audio.' }) }
    const source: SkillSource = { id: 'x', layer: 'project', scan: () => sourceOf(skills, 'x').scan() }
    const repertoire = await openRepertoire({ sources: [source] })
    const found = async (query: string) => names(await repertoire.catalog.search(query))
    expect(await found('audio')).toEqual(['a'])
    await repertoire.reload({ force: true })
    expect([await found('audio'), await found('video')]).toEqual([['a'], []])
    skills['a'] = manifest('a', 'One.', { body: 'Edits video.' })
    await repertoire.reload({ force: true })
    expect([await found('audio'), await found('video')]).toEqual([[], ['a']])
    skills['b'] = manifest('b', 'Two.', { body: 'Edits video.' })
    await repertoire.reload({ force: true })
    expect(await found('video')).toEqual(['a', 'b'])
    skills['a'] = manifest('a', 'Makes music.', { body: 'Edits text.' })
    skills['b'] = manifest('b', 'Makes films.', { body: 'Edits sound.' })
    await repertoire.reload({ force: true })
    expect([await found('music'), await found('films'), await found('video')]).toEqual([['a'], ['b'], []])
    delete skills['a']
    await repertoire.reload({ force: true })
    expect([await found('text'), await found('sound')]).toEqual([[], ['b']])
  })

  it('[MATCH-3] finds by name and description if a body cannot be read, and reports it to viewers of the skill', async () => {
    const source: SkillSource = {
      id: 'x',
      layer: 'project',
      scan: () =>
        mapped(sourceOf({ a: manifest('a', 'Edits audio.'), ...SKILLS }, 'x'), (found) => ({
          ...found,
          folder: { ...found.folder, readManifest: () => Promise.reject(new Error('The disk is away.')) },
        })),
    }
    const { catalog } = await openRepertoire({ sources: [source] })
    const { hits, diagnostics } = await catalog.search('audio', { viewer: { skills: ['a'] } })
    expect(hits.map(({ name }) => name)).toEqual(['a'])
    expect(diagnostics).toEqual([
      expect.objectContaining({ code: 'BODY_NOT_SEARCHED', path: 'memory:x/a/SKILL.md', severity: 'warning' }),
    ])
    expect(diagnostics[0]!.message).toContain('The disk is away.')
  })

  it('[MATCH-6] rejects with the reason of its signal, and refuses an invalid query', async () => {
    const { catalog } = await opened()
    const reason = new Error('enough')
    await expect(catalog.search('pdf', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    const controller = new AbortController()
    const searching = catalog.search('pdf', { signal: controller.signal })
    controller.abort(reason)
    await expect(searching).rejects.toBe(reason)
    for (const query of [undefined, 1, [1], {}]) {
      await expect(catalog.search(foreign(query))).rejects.toThrow('The query is neither a text nor a list of texts.')
    }
    for (const limit of [0, -1, 1.5, Number.NaN]) {
      await expect(catalog.search('pdf', { limit })).rejects.toThrow('`limit` is')
    }
  })
})

describe('a search with `catalog.rank`', () => {
  const never = new Promise<never>(() => undefined)

  it('[MATCH-3] finds what the host finds, in its order, of what the viewer may see', async () => {
    const asked: unknown[] = []
    const repertoire = await openRepertoire({
      sources: [sourceOf(SKILLS)],
      catalog: {
        rank: async (query, skills) => {
          asked.push([query, skills.map(({ name }) => name)])
          return ['pdfium-tools', 'no-such-skill', 'pdf-merge', 'pdfium-tools', 'reports', foreign(null)]
        },
      },
    })
    const viewer = { skills: ['pdf-merge', 'pdfium-tools'] }
    const { hits, diagnostics } = await repertoire.catalog.search(['cut pages', 'divide'], { viewer })
    expect(asked).toEqual([['cut pages\ndivide', ['pdf-merge', 'pdfium-tools']]])
    expect(hits.map(({ name, score }) => [name, score])).toEqual([
      ['pdfium-tools', 1],
      ['pdf-merge', 0.5],
    ])
    expect(diagnostics).toEqual([])
    expect(names(await repertoire.catalog.search('pages', { viewer, limit: 1 }))).toEqual(['pdfium-tools'])
  })

  it.each<[string, SkillRank, string]>([
    [
      'throws',
      () => {
        throw new Error('no key')
      },
      'no key',
    ],
    ['rejects', () => Promise.reject(new Error('no key')), 'no key'],
    ['returns something else', () => foreign('pdf-merge'), 'it returned no list of names'],
    ['never answers', () => never, 'it did not answer within 2000 ms'],
  ])('[MATCH-3, CAT-10] goes by words if `rank` %s, and reports it', async (_, rank, why) => {
    const words = await (await opened()).catalog.search('joins documents')
    expect(words.hits.length).toBeGreaterThan(0)
    const { catalog } = await openRepertoire({ sources: [sourceOf(SKILLS)], catalog: { rank } })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const searching = catalog.search('joins documents')
    await vi.advanceTimersByTimeAsync(2_000)
    vi.useRealTimers()
    const { hits, diagnostics } = await searching
    expect(hits).toEqual(words.hits)
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([['RANK_FAILED', 'warning']])
    expect(diagnostics[0]!.message).toContain(why)
  })

  it('[MATCH-3, CAT-10] is not waited for when its caller aborts, and is told so', async () => {
    const begun = Promise.withResolvers<AbortSignal>()
    const rank: SkillRank = (_query, _skills, { signal }) => {
      begun.resolve(signal)
      return never
    }
    const { catalog } = await openRepertoire({ sources: [sourceOf(SKILLS)], catalog: { rank } })
    const controller = new AbortController()
    const searching = catalog.search('audio', { signal: controller.signal })
    const signal = await begun.promise
    controller.abort(new Error('enough'))
    await expect(searching).rejects.toThrow('enough')
    expect(signal.aborted).toBe(true)
  })
})
