import { type HarmlessProgram, type WordCheck, isNoFile, oneOf } from '../program.ts'

/** An address of the web, with no scheme perhaps. Braces before the path could stand for other schemes. */
const isWebAddress: WordCheck = (word) =>
  /^(?:(?:https?|ftps?):\/\/(?:[^@/\s{}[\]]*@)?)?(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?(?:[/?#].*)?$/is.test(word)

/** What is written is thrown away, or shown. */
const isShown = oneOf('- /dev/null /dev/stdout')

export const CURL: HarmlessProgram = {
  names: 'curl',
  uses: {
    '': {
      options: `
          -a,--append -A,--user-agent= --anyauth --basic -b,--cookie= --cert-status --ciphers= --compressed
          --compressed-ssh --connect-timeout= --create-dirs -C,--continue-at= --crlf
          -d,--data,--data-ascii,--data-binary= --data-raw= --data-urlencode= --digest --disable-eprt
          --disable-epsv -q,--disable --expect100-timeout= -f,--fail --fail-early --fail-with-body -F,--form=
          --form-string= --form-escape -g,--globoff -G,--get -h,--help --haproxy-protocol -I,--head -H,--header=
          --happy-eyeballs-timeout-ms= --http0.9 -0,--http1.0 --http1.1 --http2 --http2-prior-knowledge --http3
          --http3-only --ignore-content-length -i,--include,--show-headers -k,--insecure -4,--ipv4 -6,--ipv6
          --json= -j,--junk-session-cookies --keepalive-time= --limit-rate= -L,--location !--location-trusted
          -M,--manual --max-filesize= --max-redirs= -m,--max-time= !--negotiate -:,--next --no-alpn
          --no-buffer,-N --no-keepalive --no-progress-meter --no-sessionid !--ntlm --oauth2-bearer=
          !-o,--output= --parallel-max= --parallel-immediate -Z,--parallel --path-as-is --post301 --post302
          --post303 -#,--progress-bar --rate= -r,--range= --raw -e,--referer= --remove-on-error -R,--remote-time
          -X,--request= --request-target= --retry= --retry-all-errors --retry-connrefused --retry-delay=
          --retry-max-time= -S,--show-error -s,--silent -Y,--speed-limit= -y,--speed-time= --ssl-reqd --ssl
          -1,--tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 --tls-max= --tls13-ciphers= --tcp-fastopen
          --tcp-nodelay --tr-encoding --trace-time --url= --url-query= -u,--user= -v,--verbose -V,--version
          -w,--write-out= !-O,--remote-name !--remote-name-all !-J,--remote-header-name !--output-dir=
          !-T,--upload-file= !-K,--config= !-x,--proxy= !--preproxy= !-U,--proxy-user= !--socks4= !--socks4a=
          !--socks5= !--socks5-hostname= !--resolve= !--connect-to= !--doh-url= !--dns-servers= !--interface=
          !--unix-socket= !--abstract-unix-socket= !--cacert= !--capath= !--ca-native !-E,--cert= !--key=
          !--cert-type= !--engine= !-n,--netrc !--netrc-file= !--netrc-optional !-c,--cookie-jar=
          !-D,--dump-header= !--trace= !--trace-ascii= !--stderr= !--libcurl= !--hsts= !--alt-svc= !--etag-save=
          !--etag-compare= !-Q,--quote= !-P,--ftp-port= !-t,--telnet-option= !--proto= !--variable=
          !--aws-sigv4= !--mail-from= !--mail-rcpt=
        `,
      values: {
        // A value "@name" is what stands in a file.
        '-d': isNoFile,
        '-H': isNoFile,
        '--json': isNoFile,
        '-F': (field) => /^[^=]+=(?![@<])[^;]*$/.test(field),
        '--data-urlencode': (data) => /^[\w.[\]-]*=/.test(data) || /^[^@=]*$/.test(data),
        '--url-query': (data) => /^[\w.[\]-]*=/.test(data) || /^[^@=]*$/.test(data),
        // Without "=" it is the name of a file.
        '-b': (cookie) => cookie.includes('='),
        '-w': (format) => isNoFile(format) && !/%(?!\{\w+\}|header\{[\w-]+\}|%)/.test(format),
        '-o': isShown,
        '-r': (range) => /^[\d,-]+$/.test(range),
        '--url': isWebAddress,
      },
      operands: isWebAddress,
    },
  },
}

export const WGET: HarmlessProgram = {
  names: 'wget',
  uses: {
    '': {
      options: `
          -V,--version -h,--help -d,--debug -q,--quiet -v,--verbose --no-verbose --report-speed= -t,--tries=
          --retry-connrefused --retry-on-host-error --retry-on-http-error= !-O,--output-document= --no-clobber
          --show-progress --progress= -S,--server-response --spider -T,--timeout= --dns-timeout=
          --connect-timeout= --read-timeout= -w,--wait= --waitretry= --random-wait -Q,--quota= --limit-rate=
          --no-dns-cache --ignore-case -4,--inet4-only -6,--inet6-only --prefer-family= --user= --password=
          --no-iri -n= --no-directories --no-host-directories --http-user= --http-password= --no-cache
          --ignore-length --header= --compression= --max-redirect= --referer= -U,--user-agent=
          --no-http-keep-alive --no-cookies --post-data= --method= --body-data= --auth-no-challenge
          --secure-protocol= --https-only --no-check-certificate --no-hsts --no-proxy --no-netrc --no-config
          !-o,--output-file= !-a,--append-output= !-i,--input-file= !-F,--force-html !-B,--base= !--config=
          !-c,--continue !-N,--timestamping !-x,--force-directories !-P,--directory-prefix= !--cut-dirs=
          !--default-page= !-E,--adjust-extension !--content-disposition !--post-file= !--body-file=
          !--load-cookies= !--save-cookies= !--certificate= !--private-key= !--ca-certificate= !--use-askpass=
          !--bind-address= !-e,--execute= !-r,--recursive !-l,--level= !-k,--convert-links !-m,--mirror
          !-p,--page-requisites !-K,--backup-converted !-A,--accept= !-R,--reject= !-D,--domains=
          !-I,--include-directories= !-X,--exclude-directories= !-H,--span-hosts
        `,
      values: { '-O': isShown, '-n': (letters) => /^[cvpdH]+$/.test(letters) },
      operands: isWebAddress,
    },
  },
}
