// Passwords in URLs: `scheme://user:password@host`.

const address =
  /(?<![A-Za-z0-9+.-])[a-z][a-z0-9+.-]{1,20}:\/\/(?<user>[^\s:/@"'`<>]{0,100}):(?<password>[^\s@"'`/<>]{4,200})@(?<host>[^\s/:"'`?#)\]]{1,200})/gi;

/** A value that is filled in later is not a password: `${PASS}`, `$PASS`, `%s`, `{password}`, `***`. */
const isTemplate = (text: string): boolean => /[${}%*[\]]|\.\.\./.test(text);

const weak =
  /^(?:pass(?:word|wd)?|pw|pwd|secret|postgres(?:ql)?|mysql|mariadb|mongo(?:db)?|redis|rabbitmq|guest|root|admin|test(?:ing|er)?|user(?:name)?|example|changeme|my-?pass(?:word)?|your-?pass(?:word)?|token|x+|foo|bar|baz|hunter2|1234\d*)$/i;

/** A local machine, a name on a private network, or one that is reserved for examples. */
const local =
  /^(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[?::1\]?|host\.docker\.internal|[a-z0-9_-]+|(?:.*\.)?(?:example(?:\.(?:com|org|net))?|test|local|localhost|invalid|internal\.test))$/i;

export type AddressPassword = { readonly index: number; readonly text: string };

/** Passwords that may be real. */
export function passwordsIn(text: string): AddressPassword[] {
  return [...text.matchAll(address)].flatMap((found) => {
    const { user = "", password = "", host = "" } = found.groups ?? {};
    const isNone = isTemplate(password) || weak.test(password) || password === user || local.test(host);
    return isNone ? [] : [{ index: found.index, text: found[0] }];
  });
}
