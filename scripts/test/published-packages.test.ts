import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

interface PackageJson {
  readonly name: string
  readonly private?: boolean
  readonly keywords?: readonly string[]
  readonly files?: readonly string[]
  readonly publishConfig?: object
  readonly homepage?: string
  readonly repository: { readonly url: string }
}

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string): PackageJson => JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as PackageJson

// The root says where the project is. Packages repeat it: each is published with its own package.json.
const { repository, homepage } = read('package.json')
const page = repository.url.replace(/^git\+/, '').replace(/\.git$/, '')
const published = globSync('packages/*/package.json', { cwd: ROOT })
  .toSorted()
  .map((file) => ({ folder: dirname(file), manifest: read(file) }))
  .filter(({ manifest }) => manifest.private !== true)

it('the root names one address of the project, and the security policy leads there', () => {
  expect(published.length).toBeGreaterThan(5)
  expect(page).toMatch(/^https:\/\/github\.com\/[\w-]+\/[\w-]+$/)
  expect(homepage).toBe(`${page}#readme`)
  expect(readFileSync(join(ROOT, 'SECURITY.md'), 'utf8')).toContain(`](${page}/security/advisories/new)`)
})

it.each(published)(
  '$manifest.name names its source, its page, its issues and five keywords, and is published with changelog and provenance',
  ({ folder, manifest }) => {
    expect(manifest).toMatchObject({
      repository: { ...repository, directory: folder },
      homepage: `${page}/tree/main/${folder}#readme`,
      bugs: { url: `${page}/issues` },
    })
    expect(manifest.files).toContain('CHANGELOG.md')
    expect(manifest.publishConfig).toMatchObject({ access: 'public', provenance: true })
    expect(manifest.keywords).toContain('agent-skills')
    expect(new Set(manifest.keywords).size).toBeGreaterThanOrEqual(5)
  },
)

it('the storage and the tools, which one program uses together, export no name twice', () => {
  const [storage, tools] = ['storage', 'tools'].map((name) => {
    const index = readFileSync(join(ROOT, 'packages', name, 'src/index.ts'), 'utf8')
    return [...index.matchAll(/\{([^}]*)\} from/g)].flatMap(
      ([, names = '']) => names.match(/\b[A-Za-z]\w*(?=,|\s*$)/g) ?? [],
    )
  })
  expect(storage).toContain('PostgresPool')
  expect(tools).toContain('PostgresConnection')
  expect(storage?.filter((name) => tools?.includes(name))).toEqual([])
})
