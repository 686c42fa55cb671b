// Splits a text into words, and lists words that carry no meaning.

/** `text` is in lower case, which may be longer than the original; `length` is the original's. */
export type Word = { readonly text: string; readonly at: number; readonly length: number };

const word = /[\p{L}\p{N}_][\p{L}\p{N}_'’-]{0,60}/gu;
/** Enough for any request; a book after it changes nothing. */
const wordsMax = 4000;

export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const match of text.matchAll(word)) {
    words.push({ text: match[0].toLowerCase().replaceAll("’", "'"), at: match.index, length: match[0].length });
    if (words.length === wordsMax) break;
  }
  return words;
}

const list = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((each) => each !== ""));

export const functionWords = list(`
  a an the this that these those it its it's i i'm i'd we we're our us you your they them their he she his her my me
  is are was were be been being am do does did done doing have has had having will would can could should must may might shall
  and or but so if then than as at by for from in into of off on onto out over to up down with within without about
  not no nor only also just very really quite some any all every each both more most less least much many few
  there here where when while what which who whom whose why how again still already yet now soon later asap please pls plz
  thanks thank ok okay hi hello hey like want wants need needs let lets let's get gets got go goes make makes made
  take takes tell think thinks look looks see one two first next last new maybe probably bit lot
  can't cannot don't dont doesn't doesnt isn't isnt won't wont didn't because since until after before during
  im ive were someone somebody anyone anything nothing something someday etc eg ie via vs too such same other another
  i've we've you'd we'd that's there's teh thing`);

/** The small words of other languages, unless they are also English. */
export const foreignWords = list(`
  der das und ist nicht ein eine einen den dem des mit für auf wenn soll sollen wird werden dass zu im bei von sich ohne alle nach bitte mach mache
  le la les une est dans pour avec que qui sur et du au aux pas ne quand sans tous toutes par ce cette
  el los las para con por en del cuando y se al como sin todos todas una lo su
  o os uma com não na il di per che nel della senza het een van met voor niet zonder
  w z się nie oraz jest dla och att som för det är inte`);

/** Nouns that name no place: "the app" is everywhere, and "a bug" can be any bug. */
export const vagueWords = list(`
  app apps application applications code codebase project projects repo repository site website system systems software program
  product stuff things everything anything it bug bugs issue issues problem problems error errors mistake mistakes feature features
  functionality functionalities part parts piece place places way ways level idea ideas folder folders module modules file files
  page pages component components project's work works working job task tasks side whole rest general overall ui design backend frontend
  misc miscellaneous various assorted several minor major small little large big huge tiny bunch group set touch-ups touch-up tweak tweaks`);

/** Qualities: a direction, but neither a place nor an end. */
export const qualityWords = list(`
  better best nice nicer good great faster fast quick quicker slow clean cleaner modern robust stable stability reliable reliability
  scalable scalability secure security safe safer performance quality speed maintainable maintainability readable readability
  production ready ux usability beautiful pretty simple simpler easy easier smart smarter optimized optimised
  efficient efficiency cool awesome perfect proper properly professional polished memory cpu ram usage resource resources`);

/** Neither a thing nor a deed. */
export const saysNothing = (text: string): boolean =>
  functionWords.has(text) || vagueWords.has(text) || qualityWords.has(text);

/** Whether one letter too many, too few, wrong or swapped turns one word into the other. */
export function isOneSlipFrom(written: string, meant: string): boolean {
  if (written === meant) return true;
  if (Math.abs(written.length - meant.length) > 1 || meant.length < 5) return false;
  let from = 0;
  while (from < written.length && written[from] === meant[from]) from++;
  const [rest, goal] = [written.slice(from), meant.slice(from)];
  if (rest.slice(1) === goal.slice(1) || rest.slice(1) === goal || rest === goal.slice(1)) return true;
  return rest[0] === goal[1] && rest[1] === goal[0] && rest.slice(2) === goal.slice(2);
}
