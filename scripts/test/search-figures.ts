import type { Figure } from './figures.ts'

/** Those of what finds skills. */
export const SEARCH_FIGURES: readonly Figure[] = [
  [
    'skills that the command finds',
    10,
    ['packages/cli/src/commands/search.ts', 'MAX_HITS'],
    ['repertoire search --help', /found \(default: (10)\)/],
    ['docs/command.md', /`--limit NUMBER` \((10)\)/],
  ],
  [
    'what of a body is searched',
    2_000,
    ['packages/skill-md/src/ports/limits.ts', 'MAX_BODY_CHARS'],
    ['docs/search.md', /first ([\d,]+) characters of the body/],
    ['packages/core/src/catalog/catalog.ts', /first ([\d,]+) characters of their bodies/],
  ],
  [
    'what of a query is searched for',
    4_000,
    ['packages/core/src/search/rank.ts', 'MAX_QUERY_CHARS'],
    ['docs/search.md', /first ([\d,]+) characters of a query/],
    ['packages/core/src/catalog/catalog.ts', /first ([\d,]+) characters count/],
  ],
  [
    'characters of a body that an embedder is given',
    2_000,
    ['packages/skill-md/src/ports/limits.ts', 'MAX_BODY_CHARS'],
    ['docs/search.md', /about what the model reads, at most (2,000)/],
    ['packages/core/src/ports/embedder.ts', /the model reads, at most (2,000)/],
  ],
  [
    'time in which an embedder is quick',
    5_000,
    ['packages/core/src/catalog/vectors.ts', 'QUICK_MS'],
    ['docs/search.md', /four requests at once if the first was answered within (5 s)/],
  ],
  [
    'time for an embedder',
    5_000,
    ['packages/core/src/catalog/similarity.ts', 'SEARCH_TIMEOUT_MS'],
    ['docs/search.md', /not answered after (5 s)/],
  ],
]
