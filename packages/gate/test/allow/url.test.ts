import { describe, expect, test } from 'vitest'
import { allowUrl } from '../../src/addresses/allow-url.ts'

function covers(pattern: string, value: string): boolean {
  return allowUrl(value).matches(pattern)
}

describe('allowUrl', () => {
  test.each([
    ['domain:example.com', 'https://example.com'],
    ['domain:example.com', 'http://example.com:8080/a?b#c'],
    ['domain:example.com', 'https://docs.example.com/a'],
    ['domain:example.com', 'https://EXAMPLE.com/'],
    ['domain:Example.COM.', 'https://example.com/'],
    ['domain:example.com', 'https://example.com./'],
    ['domain:bücher.example', 'https://xn--bcher-kva.example/'],
    ['domain:xn--bcher-kva.example', 'https://bücher.example/'],
    ['domain:*', 'https://anything.example/'],
    ['domain:*.example.com', 'https://a.b.example.com/'],
    ['https://example.com/docs*', 'https://example.com/docs/a?b=c'],
    ['https://example.com/docs/*', 'https://example.com:443/x/../docs/a#part'],
    ['https://example.com', 'https://example.com/'],
    ['https://example.com/*', 'https://example.com/a%2fb'],
    ['https://*.example.com/*', 'https://a.example.com/x'],
    ['https://example.com:8443/*', 'https://example.com:8443/x'],
    ['https://example.com/a?q=*', 'https://example.com/a?q=1'],
    ['https://example.com/ü/*', 'https://example.com/%C3%BC/x'],
  ])('[GATE-3] %s covers %s', (pattern, url) => {
    expect(covers(pattern, url)).toBe(true)
  })

  test.each([
    ['domain:example.com', 'https://example.com.evil.net/'],
    ['domain:example.com', 'https://evilexample.com/'],
    ['domain:example.com', 'https://example.comx/'],
    ['domain:example.com', 'https://evil.net/example.com'],
    ['domain:example.com', 'https://evil.net?x=.example.com'],
    ['domain:example.com', 'https://evil.net#.example.com'],
    ['domain:example.com', 'https://example.com@evil.net/'],
    ['domain:example.com', 'https://user:pass@example.com/'],
    ['domain:example.com', 'https://@example.com/'],
    ['domain:example.com', 'https://evil.net\\@example.com/'],
    ['domain:example.com', 'https://evil.net\\.example.com/'],
    ['domain:example.com', 'https://ex%61mple.com/'],
    ['domain:example.com', 'https:example.com'],
    ['domain:example.com', 'https:/example.com'],
    ['domain:example.com', 'https:///example.com/'],
    ['domain:example.com', '//example.com/'],
    ['domain:example.com', 'example.com'],
    ['domain:example.com', 'ftp://example.com/'],
    ['domain:example.com', 'file://example.com/etc/passwd'],
    ['domain:example.com', 'javascript://example.com/%0aalert(1)'],
    ['domain:example.com', ' https://example.com/'],
    ['domain:example.com', 'https://exam\tple.com/'],
    ['domain:example.com', 'https://example.com/\r\nHost: evil.net'],
    ['domain:example.com', 'https://exаmple.com/'],
    ['domain:example.com', `https://example.com/${'a'.repeat(8_000)}`],
    ['domain:*.example.com', 'https://example.com/'],
    ['domain:example.com/path', 'https://example.com/path'],
    ['domain:example.com:8080', 'https://example.com:8080/'],
    ['domain:ex*', 'https://example.com/'],
    ['domain:', 'https://example.com/'],
    ['domain:*', 'ftp://example.com/'],
    ['domain:com.', 'https://examplecom/'],
    ['https://example.com/docs*', 'http://example.com/docs'],
    ['https://example.com/docs*', 'https://example.com:8443/docs'],
    ['https://example.com/docs*', 'https://a.example.com/docs'],
    ['https://example.com/docs/*', 'https://example.com/docs/../admin'],
    ['https://example.com/docs/*', 'https://example.com/docs/%2e%2e/admin'],
    ['https://example.com/docs/*', 'https://example.com/docs/..%2fadmin'],
    ['https://example.com/docs/*', 'https://example.com/docs/..%5cadmin'],
    ['https://example.com', 'https://example.com/other'],
    ['https://example.com*', 'https://example.com.evil.net/'],
    ['https://*example.com/*', 'https://evilexample.com/'],
    ['https://*/*', 'https://example.com/'],
    ['*://example.com/*', 'https://example.com/'],
    ['https://user@example.com/*', 'https://example.com/'],
    ['example.com', 'https://example.com/'],
    ['', 'https://example.com/'],
  ] as [string, string][])('[GATE-3] %s does not cover %j', (pattern, url) => {
    expect(covers(pattern, url)).toBe(false)
  })
})
