import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isRelative, linksOf } from './documents.ts'

interface PackageJson {
  readonly name: string
  readonly private?: boolean
  readonly description?: string
  readonly keywords?: readonly string[]
  readonly homepage?: string
  readonly bugs?: { readonly url: string }
  readonly repository?: { readonly type: string; readonly url: string; readonly directory?: string }
}

const ROOT = join(import.meta.dirname, '../..')

// The one place that says where the project is. Packages repeat it, since each is published with its own package.json.
const { repository } = readPackageJson('')
const page = repository!.url.replace(/^git\+/, '').replace(/\.git$/, '')

const published = globSync('packages/*/package.json', { cwd: ROOT })
  .map((file) => dirname(file).replaceAll('\\', '/'))
  .toSorted()
  .flatMap((folder) => {
    const manifest = readPackageJson(folder)
    return manifest.private === true ? [] : [{ folder, name: manifest.name, manifest }]
  })

/** The files that are in Git, of which alone a code host shows a page. */
const TRACKED: ReadonlySet<string> = new Set(
  execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).split('\0'),
)

function readPackageJson(folder: string): PackageJson {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as PackageJson
}

it('are found, and the address of the project is one that npm links to, and where vulnerabilities are reported', () => {
  expect(published.length).toBeGreaterThan(5)
  expect(repository).toEqual({
    type: 'git',
    url: expect.stringMatching(/^git\+https:\/\/github\.com\/[\w-]+\/[\w-]+\.git$/),
  })
  expect(readPackageJson('').homepage).toBe(`${page}#readme`)
  expect(readFileSync(join(ROOT, 'SECURITY.md'), 'utf8')).toContain(`](${page}/security/advisories/new)`)
})

describe.each(published)('$name', ({ folder, manifest }) => {
  it('says where its source, its page and its issues are', () => {
    expect(manifest).toMatchObject({
      repository: { ...repository, directory: folder },
      homepage: `${page}/tree/main/${folder}#readme`,
      bugs: { url: `${page}/issues` },
    })
  })

  it('can be found by at least five keywords, no two alike', () => {
    const keywords = manifest.keywords ?? []
    expect(keywords.length).toBeGreaterThanOrEqual(5)
    expect(new Set(keywords).size).toBe(keywords.length)
    expect(keywords).toContain('agent-skills')
    expect(keywords.filter((keyword) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(keyword))).toEqual([])
  })

  // A package page resolves a relative link against `repository.directory` of the default branch, as is done here: a
  // link without `directory`, or one out of the repository, would lead elsewhere.
  it('has a README whose relative links lead to files of the repository on a package page', () => {
    const branch = `${page}/blob/HEAD/`
    const readme = { path: `${folder}/README.md`, text: readFileSync(join(ROOT, folder, 'README.md'), 'utf8') }
    const links = linksOf(readme).filter((link) => isRelative(link) && !link.startsWith('#'))
    expect(links.length).toBeGreaterThan(0)
    const dead = links.filter((link) => {
      const { href } = new URL(link.split('#')[0]!, `${branch}${manifest.repository?.directory ?? ''}/`)
      return !href.startsWith(branch) || !TRACKED.has(decodeURI(href.slice(branch.length)))
    })
    expect(dead).toEqual([])
  })
})
