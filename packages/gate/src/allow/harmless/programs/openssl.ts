import { type HarmlessProgram, NO_OPERANDS, type WordCheck, oneOf } from '../program.ts'

/** The name of a file. With a colon it could be an address, which an engine or a provider is loaded for. */
const isFile: WordCheck = (name) => !name.includes(':')
const isPassword: WordCheck = (source) => /^(?:pass:.*|stdin)$/s.test(source)
const FORM = oneOf('PEM pem DER der P12 p12')

const FILES = {
  '-in': isFile,
  '-inkey': isFile,
  '-key': isFile,
  '-CA': isFile,
  '-CAkey': isFile,
  '-CAfile': isFile,
  '-untrusted': isFile,
  '-trusted': isFile,
  '-CRLfile': isFile,
  '-certfile': isFile,
  '-certs': isFile,
  '-sign': isFile,
  '-prverify': isFile,
  '-signature': isFile,
  '-sigfile': isFile,
  '-peerkey': isFile,
}
const PASSWORDS = {
  '-passin': isPassword,
  '-passout': isPassword,
  '-pass': isPassword,
  '-inform': FORM,
  '-outform': FORM,
  '-keyform': FORM,
  '-CAform': FORM,
}
const DIGESTS = `
    -md5 -sha1 -sha224 -sha256 -sha384 -sha512 -sha3-256 -sha3-384 -sha3-512 -blake2b512 -blake2s256 -shake128
    -shake256 -ripemd160
  `
const READ = '-in= -inform= -outform= -passin= -noout -text -nameopt='
/** Options that load an engine, a provider or a configuration, or write files. */
const OTHERS = '!-out= !-engine= !-provider= !-provider-path= !-propquery= !-config= !-rand= !-writerand='

/** The values of these options are files that are read, and passwords. */
const values = { ...FILES, ...PASSWORDS }

export const OPENSSL: HarmlessProgram = {
  names: 'openssl',
  syntax: 'single-dash',
  everywhere: `-help ${OTHERS}`,
  uses: {
    version: '-a -b -d -e -f -o -p -r -v -m -c',
    'list,ciphers,help': {
      options: `
          -1 -v -V -s -tls1 -tls1_1 -tls1_2 -tls1_3 -stdname -convert= -psk -srp -ciphersuites= -commands
          -digest-commands -digest-algorithms -cipher-commands -cipher-algorithms -public-key-algorithms
          -public-key-methods -standard-commands -disabled -providers -kdf-algorithms -mac-algorithms
          -tls-groups -signature-algorithms -verbose
        `,
    },
    x509: {
      options: `
        ${READ} ${DIGESTS} -serial -subject_hash -hash -issuer_hash -ocspid -subject -issuer -email -ocsp_uri
        -startdate -enddate -dates -checkend= -checkhost= -checkemail= -checkip= -fingerprint -modulus -pubkey
        -purpose -alias -ext= -certopt= -dateopt= -issuer_hash_old -subject_hash_old -trustout -clrext -req
        -days= -set_serial= -subj= -CA= -CAkey= -CAform= -keyform= -key= -copy_extensions= !-extfile=
        !-CAcreateserial !-CAserial= !-signkey= !-force_pubkey=
      `,
      values,
      operands: NO_OPERANDS,
    },
    'rsa,ec,dsa,pkey,pkcs8': {
      options: `
        ${READ} -check -modulus -pubin -pubout -text_pub -pubcheck -passout= -param_out -conv_form= -param_enc=
        -no_public -topk8 -nocrypt -traditional -aes128 -aes192 -aes256 -aes-256-cbc -aes-128-cbc -v2= -iter=
        -RSAPublicKey_in -RSAPublicKey_out
      `,
      values: { ...values },
      operands: NO_OPERANDS,
    },
    req: {
      options: `
        ${READ} ${DIGESTS} -new -x509 -newkey= -key= -keyform= -nodes -noenc -subj= -days= -addext= -verify
        -pubkey -subject -modulus -batch -utf8 -multivalue-rdn -set_serial= -reqexts= -extensions= -passout=
        -verbose -reqopt= -copy_extensions= !-keyout= !-keygen_engine= !-pkeyopt= !-sigopt= !-section=
      `,
      values: { ...values, '-newkey': (kind) => /^(?:rsa(?::\d+)?|ed25519|ed448)$/.test(kind) },
      operands: NO_OPERANDS,
    },
    'genrsa,genpkey,ecparam,dhparam,dsaparam': {
      options: `
          -2 -3 -5 -F4 -f4 -algorithm= -pkeyopt= -aes128 -aes192 -aes256 -aes-256-cbc -pass= -passout= -name=
          -genkey -list_curves -noout -text -check -in= -inform= -outform= -quiet -verbose -primes= -traditional
          -param_enc= -conv_form= !-paramfile= !-genparam
        `,
      values: {
        ...values,
        '-pkeyopt': (option) =>
          /^(?:rsa_keygen_(?:bits|pubexp|primes)|ec_paramgen_curve|ec_param_enc):[\w.-]+$/.test(option),
      },
    },
    'dgst,md5,sha1,sha256,sha384,sha512': {
      options: `
        ${DIGESTS} -c -r -hex -binary -d -list -keyform= -hmac= -sign= -verify= -prverify= -signature= -passin=
        !-macopt= !-mac= !-sigopt= !-fips-fingerprint
      `,
      values: { ...values, '-verify': isFile },
      operands: isFile,
    },
    'enc,base64': {
      options: `
          -e -d -a -base64 -A -in= -k= -pass= -K= -iv= -S= -salt -nosalt -md= -iter= -pbkdf2 -p -P -nopad -v
          -list -ciphers -none -aes-128-cbc -aes-192-cbc -aes-256-cbc -aes-256-ctr -aes-128-ctr -aes256 -aes128
          -des3 -chacha20 !-kfile= !-z
        `,
      values,
      operands: NO_OPERANDS,
    },
    rand: { options: '-hex -base64', operands: (word) => /^\d+[KMGT]?$/.test(word) },
    passwd: '-1 -5 -6 -apr1 -aixmd5 -salt= -stdin -noverify -quiet -table -reverse !-in=',
    prime: '-hex -checks= -generate -bits= -safe',
    verify: {
      options: `
          -CAfile= -untrusted= -trusted= -CRLfile= -show_chain -purpose= -verbose -crl_check -crl_check_all
          -partial_chain -verify_depth= -verify_hostname= -verify_email= -verify_ip= -attime= -no_check_time
          -x509_strict -nameopt= -policy_check -check_ss_sig -no-CAfile -no-CApath -no-CAstore !-CApath=
          !-CAstore=
        `,
      values,
      operands: isFile,
    },
    'crl,pkcs7,asn1parse': {
      options: `
        ${READ} -issuer -lastupdate -nextupdate -hash -fingerprint -crlnumber -CAfile= -verify -print_certs
        -print -i -offset= -length= -dump -dlimit= -strparse= -item= -oid=
      `,
      values: { ...values, '-oid': () => false },
    },
    pkcs12: {
      options: `
        ${READ} -info -nokeys -nocerts -cacerts -clcerts -nodes -noenc -nomacver -legacy -password= -passout=
        -aes256 !-export !-inkey= !-name= !-certfile=
      `,
      values: { ...PASSWORDS, '-in': isFile, '-password': isPassword },
      operands: NO_OPERANDS,
    },
    s_client: {
      options: `
          -connect= -host= -port= -servername= -noservername -showcerts -brief -quiet -prexit -state -status
          -tls1 -tls1_1 -tls1_2 -tls1_3 -no_tls1_3 -no_tls1_2 -no_tls1_1 -no_tls1 -cipher= -ciphersuites=
          -curves= -groups= -alpn= -starttls= -name= -xmpphost= -verify= -verify_hostname= -verify_return_error
          -verify_quiet -CAfile= -no-CAfile -4 -6 -crlf -ign_eof -no_ign_eof -timeout -debug -msg
          -security_debug -nbio -reconnect -ct -noct -serverinfo= -nameopt= !-proxy= !-bind= !-unix= !-cert=
          !-key= !-keylogfile= !-sess_out= !-sess_in= !-msgfile= !-early_data= !-CApath= !-CAstore=
          !-ssl_client_engine= !-psk= !-writerand=
        `,
      values: {
        '-CAfile': isFile,
        '-verify': (depth) => /^\d+$/.test(depth),
        '-connect': (word) => /^[\w.-]+(?::\w+)?$|^\[[\da-f:]+\]:\w+$/i.test(word),
      },
      operands: (word) => /^[\w.-]+:\d+$/.test(word),
    },
    'speed,errstr': {
      options: '-elapsed -seconds= -bytes= -evp= -multi= -mr -hmac= -primes= !-async_jobs=',
      operands: (word) => /^[\w-]+$/.test(word),
    },
  },
}
