/** @type {import('next').NextConfig} */
export default {
  output: 'standalone',
  cacheComponents: true, // As create-next-app sets it.
  // Skills are files that no code imports, so a build leaves them out unless they are named.
  outputFileTracingIncludes: { '/api/chat': ['./skills/**/*'] },
  outputFileTracingRoot: import.meta.dirname,
  turbopack: { root: import.meta.dirname },
}
