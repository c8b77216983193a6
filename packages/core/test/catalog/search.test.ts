import { describe, expect, it } from 'vitest'
import { foreign } from '@repertoire/test-servers/properties'
import { type SkillEmbedder, type SkillSource, getSkillItems, memorySource, openRepertoire } from '../../src/index.ts'

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

const opened = (skills: Readonly<Record<string, string>> = SKILLS, embedder?: SkillEmbedder) =>
  openRepertoire({ sources: [sourceOf(skills)], catalog: { embedder } })

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

  it('[MATCH-3] explains each hit by its words and fields, with scores from 1 down', async () => {
    const { catalog } = await opened()
    const { hits } = await catalog.search(['export a powerpoint', 'presentation'])
    expect(hits[0]).toEqual({
      name: 'slides',
      description: 'Makes presentations.',
      score: 1,
      why: [
        { field: 'description', words: ['presentation'] },
        { field: 'tags', words: ['powerpoint'] },
        { field: 'body', words: ['export'] },
      ],
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
    const source: SkillSource = { id: 'x', layer: 'project', scan: (visitor) => sourceOf(skills, 'x').scan(visitor) }
    const repertoire = await openRepertoire({ sources: [source] })
    const searching = repertoire.catalog.search('audio')
    skills = { new: manifest('new', 'Edits audio.') }
    await repertoire.reload({ force: true })
    expect(names(await searching)).toEqual(['old'])
    expect(names(await repertoire.catalog.search('audio'))).toEqual(['new'])
  })

  it('[MATCH-6, CAT-4] finds skills after a reload by their new texts, and no longer by the old ones', async () => {
    const skills: Record<string, string> = { a: manifest('a', 'One.', { body: 'Edits audio.' }) }
    const source: SkillSource = { id: 'x', layer: 'project', scan: (visitor) => sourceOf(skills, 'x').scan(visitor) }
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
      scan: (visitor) =>
        sourceOf({ a: manifest('a', 'Edits audio.'), ...SKILLS }, 'x').scan({
          ...visitor,
          skill(found) {
            const folder = { ...found.folder, readManifest: () => Promise.reject(new Error('The disk is away.')) }
            visitor.skill({ ...found, folder })
          },
        }),
    }
    const { catalog } = await openRepertoire({ sources: [source] })
    const { hits, diagnostics } = await catalog.search('audio', { viewer: { skills: ['a'] } })
    expect(hits.map(({ name }) => name)).toEqual(['a'])
    expect(diagnostics).toEqual([
      expect.objectContaining({ code: 'BODY_NOT_SEARCHED', path: 'memory:x/a/SKILL.md', severity: 'warning' }),
    ])
    expect(diagnostics[0]!.message).toContain('The disk is away.')
  })

  it('[MATCH-6] ranks by how rare a word is among the visible skills', async () => {
    const scope = { fields: 'scope:\n  agents: [operator]\n' }
    const others = Object.fromEntries(
      Array.from({ length: 40 }, (_, number) => [
        `other-${number}`,
        manifest(`other-${number}`, 'Edits audio.', scope),
      ]),
    )
    const seen = {
      one: manifest('one', 'Edits audio.'),
      two: manifest('two', 'Edits video.'),
      three: manifest('three', 'Plays video.'),
    }
    const query = 'audio video'
    const [alone, among] = [await opened(seen), await opened({ ...seen, ...others })]
    expect(names(await alone.catalog.search(query))[0]).toBe('one')
    expect(names(await among.catalog.search(query))).toEqual(names(await alone.catalog.search(query)))
  })

  it('[MATCH-6] returns the same hits and scores, whatever hidden skills there are', async () => {
    const seen = {
      one: manifest('one', 'Edits audio.', { body: 'Cut the video first, then the audio.' }),
      two: manifest('two', `Edits video. ${'It keeps every frame. '.repeat(20)}`, { body: 'Play it.' }),
      'video-three': manifest('video-three', 'Plays.', { fields: 'tags: [video, audio]\n' }),
    }
    const hidden = Array.from({ length: 30 }, (_, number) => {
      const long = 'Long texts about video make others short. '.repeat(number)
      const fields = number % 2 === 0 ? 'disable-model-invocation: true\n' : 'scope:\n  tenants: [other]\n'
      return [`hidden-${number}`, manifest(`hidden-${number}`, `Video. ${long}`, { fields, body: long })] as const
    })
    const [alone, among] = [await opened(seen), await opened({ ...seen, ...Object.fromEntries(hidden) })]
    for (const query of ['video', 'edits video', 'audio frame', ['cut', 'play a video']]) {
      const found = await alone.catalog.search(query)
      expect(found.hits.length).toBeGreaterThan(0)
      expect(await among.catalog.search(query)).toEqual(found)
    }
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

  it('[CAT-7] ranks the items of a provider by its query', async () => {
    const provider = (await opened()).provider()
    const items = await getSkillItems(provider, { query: 'joins documents', limit: 1 })
    expect(items.map(({ name }) => name)).toEqual(['pdf-merge'])
    expect(await getSkillItems(provider, { query: 'zebra' })).toEqual([])
    expect(await getSkillItems(provider, { query: ' ' })).toHaveLength(5)
  })
})

describe('a search with an embedder', () => {
  /** The meaning of a text: whether it is about sound, about pages, or about neither. */
  const meaning = (text: string): readonly number[] => [
    /audio|podcast|sound/i.test(text) ? 1 : 0,
    /pdf|page|document/i.test(text) ? 1 : 0,
    0.1,
  ]
  const TALKS = { ...SKILLS, mixer: manifest('mixer', 'Edits audio tracks.') }

  it('[MATCH-3] finds skills that say the same in other words', async () => {
    const asked: (readonly string[])[] = []
    const embedder: SkillEmbedder = {
      async embed(texts) {
        asked.push(texts)
        return texts.map(meaning)
      },
    }
    const repertoire = await opened(TALKS, embedder)
    const { hits, diagnostics } = await repertoire.catalog.search('podcast', { limit: 1 })
    expect(diagnostics).toEqual([])
    expect(hits).toEqual([
      { name: 'mixer', description: 'Edits audio tracks.', score: 1, why: [], similarity: expect.closeTo(1) },
    ])
    await repertoire.reload({ force: true })
    await repertoire.catalog.search('podcast')
    // The skills are the same after the reload: only what is searched for is embedded again.
    expect(asked.map((texts) => texts.length)).toEqual([8, 1, 1])
  })

  const never = new Promise<never>(() => undefined)
  it.each<[string, SkillEmbedder['embed']]>([
    [
      'throws',
      () => {
        throw new Error('no key')
      },
    ],
    ['rejects', () => Promise.reject(new Error('no key'))],
    ['gives too few vectors', () => Promise.resolve([])],
    ['gives what is not a list', () => Promise.resolve(foreign('vectors'))],
    ['gives NaN', (texts) => Promise.resolve(texts.map(() => [Number.NaN, 1]))],
    ['gives zeros', (texts) => Promise.resolve(texts.map(() => [0, 0]))],
    [
      'gives vectors of two lengths',
      (texts) => Promise.resolve(texts.map((_, index) => Array(1 + (index % 2)).fill(1))),
    ],
    ['gives what holds no numbers', (texts) => Promise.resolve(texts.map(() => foreign(null)))],
    [
      'gives another length for the query',
      (texts) => Promise.resolve(texts.map(() => Array(texts.length === 1 ? 2 : 3).fill(1))),
    ],
  ])('[MATCH-3] uses words alone if the embedder %s, and reports it', async (_, embed) => {
    const words = await (await opened(TALKS)).catalog.search('audio tracks')
    const { hits, diagnostics } = await (await opened(TALKS, { embed })).catalog.search('audio tracks')
    expect(hits).toEqual(words.hits)
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([['EMBEDDER_FAILED', 'warning']])
  })

  it('[MATCH-3, MATCH-6] embeds the skills of a reload while the former ones are still being embedded', async () => {
    const first = Promise.withResolvers<void>()
    let requests = 0
    const embedder: SkillEmbedder = {
      async embed(texts) {
        requests++
        if (requests === 1) await first.promise
        return texts.map(meaning)
      },
    }
    const skills: Record<string, string> = { ...SKILLS }
    const repertoire = await openRepertoire({
      sources: [{ ...sourceOf(skills), scan: (visitor) => sourceOf(skills).scan(visitor) }],
      catalog: { embedder },
    })
    const before = repertoire.catalog.search('podcast')
    skills['mixer'] = manifest('mixer', 'Edits sound.')
    await repertoire.reload({ force: true })
    const after = repertoire.catalog.search('podcast', { limit: 1 })
    first.resolve()
    await before
    expect(names(await after)).toEqual(['mixer'])
  })

  it('[MATCH-3, CAT-10] stops waiting for an embedder that never answers when its caller aborts', async () => {
    const signals: AbortSignal[] = []
    const embed: SkillEmbedder['embed'] = (_texts, signal) => {
      signals.push(signal)
      return never
    }
    const { catalog } = await opened(TALKS, { embed })
    const controller = new AbortController()
    const searching = catalog.search('audio', { signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(searching).rejects.toThrow('enough')
  })
})
