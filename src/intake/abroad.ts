// The few words that the rules know in other languages: enough to tell a repair from new work, and to detect danger.
import type { Workflow } from "./deeds.ts";
import { type FromRequest, findAll } from "./evidence.ts";

const words: Readonly<Record<Workflow, RegExp>> = {
  build:
    /(?<!\p{L})(?:füge|hinzufügen|ergänze|erstelle|implementiere|baue|schreibe|ajoute[rz]?|crée[rz]?|implémente[rz]?|añad[ea]\p{L}{0,2}|agreg(?:a|ar|ue)|crear?|implementar?|adicion[ae]r?|aggiungi|crea|voeg|maak|dodaj|stwórz|добав\p{L}{1,4}|созда\p{L}{1,4}|реализ\p{L}{1,6})(?!\p{L})|添加|增加|实现|新增|创建|追加|実装|作成|추가|구현/giu,
  debug:
    /(?<!\p{L})(?:behebe?n?|repariere?n?|korrigiere?n?|fehler|absturz|corrige[rz]?|répare[rz]?|erreur|bogue|plante|arregl(?:a|ar|e)|corregir|falla|fallo|conserta|corrigir|correggi|errore|herstel|napraw|błąd|исправ\p{L}{1,4}|ошибк\p{L}{1,3}|падает|падени\p{L})(?!\p{L})|修复|错误|修正|报错|崩溃|バグ|直して|수정|오류|버그/giu,
  refactor:
    /(?<!\p{L})(?:refaktorisiere?n?|benenne|umbenennen|räume|vereinfache?n?|ersetze?n?|entferne?n?|lösche?n?|refactorise[rz]?|renomme[rz]?|nettoie[rz]?|remplace[rz]?|supprime[rz]?|refactoriza\p{L}?|renombra\p{L}?|limpia\p{L}?|reemplaza\p{L}?|elimina\p{L}?|borra\p{L}?|substitu[ai]|rimuovi|sostituisci|zmień|usuń|рефактор\p{L}{0,6}|переимен\p{L}{1,6}|удал\p{L}{1,3}|замен\p{L}{1,3})(?!\p{L})|重构|重命名|替换|删除|リファクタ|削除|리팩|삭제/giu,
};

export function foreignWorkflow(
  plain: string,
  text: string,
): { workflow: Workflow; evidence: FromRequest[]; why: string } | null {
  const firsts = (["build", "debug", "refactor"] as const).flatMap((workflow) =>
    findAll(words[workflow], plain, text, 1).map((found) => ({ workflow, found })),
  );
  const [first] = firsts.sort((a, b) => a.found.at - b.found.at);
  return first === undefined ? null : { workflow: first.workflow, evidence: [first.found], why: "its first order" };
}

/**
 * Deleted data, money, public effects: searched for in every text, since a dangerous word is dangerous in any language.
 */
export const foreignDanger: readonly { readonly pattern: RegExp; readonly why: string }[] = [
  {
    pattern:
      /(?<!\p{L})(?:lösch\p{L}{0,3}|supprim\p{L}{0,3}|elimina\p{L}{0,2}|borra\p{L}{0,2}|usuń|удал\p{L}{1,3})(?!\p{L})[^.\n]{0,60}(?:daten|kunden|benutzer|nutzer|tabelle|données|utilisateurs|clients|datos|registros|clientes|usuarios|dados|tabla|данны|пользовател|таблиц|базы|danych)|删除[^。\n]{0,20}(?:数据|用户|记录|表|库)|(?:データ|テーブル|ユーザー)[^。\n]{0,12}削除/giu,
    why: "data that is deleted does not come back",
  },
  {
    pattern:
      /(?<!\p{L})(?:zahlung\p{L}{0,4}|bezahl\p{L}{1,6}|paiements?|pagos?|pagamentos?|оплат\p{L}{1,3}|płatnoś\p{L}{1,3})(?!\p{L})|支付|付款|退款|決済|결제/giu,
    why: "money moves",
  },
  {
    pattern:
      /(?<!\p{L})(?:veröffentlich\p{L}{1,4}|publie[rz]?|publica[rn]?|опубликуй|datenbankschema|schéma de (?:la )?base|esquema de (?:la )?base)(?!\p{L})|发布|数据库迁移|公開する|배포/giu,
    why: "what is out cannot be called back",
  },
];
