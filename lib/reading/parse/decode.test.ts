import { describe, expect, it } from "vitest";
import { decodeText } from "./decode";

const POLISH =
  "Przed zażyciem leku należy skonsultować się z lekarzem. Źródło: łódzki szpital, żółć i gęś.";
const TEXTS: [encoding: string, text: string][] = [
  ["windows-1256", "تستخدم المضادات الحيوية لعلاج العدوى البكتيرية ولا تفيد في علاج نزلات البرد."],
  ["windows-1255", "יש להתייעץ עם רופא לפני נטילת תרופות. התרופה אינה מיועדת לילדים."],
  ["windows-874", "ผู้ป่วยควรปรึกษาแพทย์ก่อนใช้ยา ยานี้ไม่เหมาะสำหรับเด็กอายุต่ำกว่าสิบสองปี"],
  ["ibm866", "Перед применением лекарства следует проконсультироваться с врачом."],
  ["windows-1251", "Перед применением лекарства следует проконсультироваться с врачом."],
  ["windows-1250", POLISH],
  ["iso-8859-2", POLISH],
  ["windows-1253", "Πριν από τη λήψη του φαρμάκου συμβουλευτείτε τον γιατρό σας."],
  ["windows-1252", "Fragen Sie Ihren Arzt über Größe, Maß, Öl, Ähnliches und früheste Müdigkeit."],
  ["shift_jis", "名前,年齢,住所\n佐藤太郎,30,東京\n三木英子,25,大阪\n"],
  ["gb18030", "服用药物前请咨询医生。本药不适合十二岁以下的儿童使用。"],
  ["euc-kr", "약을 복용하기 전에 의사와 상담하십시오."],
];

/** The bytes of a text: each character's are those that decode to it. */
function encode(encoding: string, text: string): Buffer {
  const decoder = new TextDecoder(encoding);
  const bytes = Array.from({ length: 256 }, (_, byte) => byte);
  const pairs = bytes
    .slice(0x81)
    .flatMap((lead) => bytes.slice(0x40).map((trail) => [lead, trail]));
  const codes = new Map(
    [...pairs, ...bytes.map((byte) => [byte])].map((code) => [
      decoder.decode(Uint8Array.from(code)),
      code,
    ]),
  );
  return Buffer.from([...text].flatMap((character) => codes.get(character) ?? []));
}

describe("text in an old encoding", () => {
  it.each(TEXTS)("in %s is decoded", (encoding, text) => {
    const bytes = encode(encoding, text);
    expect(new TextDecoder(encoding).decode(bytes)).toBe(text);
    expect(decodeText(bytes).text).toBe(text);
  });

  it.each(TEXTS)("in %s is decoded if it starts with much ASCII", (encoding, text) => {
    const start = "A line of plain ASCII at the start.\n".repeat(3000);
    const bytes = Buffer.concat([Buffer.from(start), encode(encoding, text)]);
    expect(decodeText(bytes).text).toBe(start + text);
  });

  it("in ISO-2022-JP is decoded, although its bytes are ASCII", () => {
    const text = "薬を服用する前に医師に相談してください。";
    const kanji = encode("euc-jp", text).map((byte) => byte & 0x7f);
    const bytes = Buffer.concat([Buffer.from("\u001b$B"), kanji, Buffer.from("\u001b(B ok")]);
    expect(decodeText(bytes).text).toBe(`${text} ok`);
  });

  it.each(["le", "be"])("in UTF-16 %s without a byte order mark is decoded in Chinese", (order) => {
    const text = "服用药物前请咨询医生。\n本药不适合十二岁以下的儿童使用，不要超过规定的剂量。\n";
    const bytes = Buffer.from(text, "utf16le");
    expect(decodeText(order === "le" ? bytes : bytes.swap16()).text).toBe(text);
  });

  it("is unsure if it is short or of no known kind, and sure otherwise", () => {
    const isUnsure = (encoding: string, text: string) =>
      decodeText(encode(encoding, text)).isUnsure;
    expect(isUnsure("shift_jis", "名前,年齢\n佐藤,30\n")).toBe(true);
    expect(isUnsure("macintosh", "Größe, Maß, Öl, Übung, früh, ähnlich, Tür, für, müde.")).toBe(
      true,
    );
    expect(isUnsure("windows-1252", "Größe: 5 µm")).toBe(false);
    expect(isUnsure("ibm866", TEXTS[3]?.[1] ?? "")).toBe(false);
    expect(decodeText(Buffer.from("Größe, 服用药物, лекарства")).isUnsure).toBe(false);
  });
});

describe("binary data", () => {
  it("is never read as prose", () => {
    const noise = Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919 + at * at) % 256));
    const pixels = Buffer.alloc(70_000, 0xff);
    const fine = Buffer.from(
      Array.from({ length: 9000 }, (_, at) => 0x80 + ((at * 31 + at * at) % 128)),
    );
    for (const bytes of [noise, pixels, fine]) {
      expect(() => decodeText(bytes)).toThrow(
        expect.objectContaining({ code: "unsupported_format" }),
      );
    }
  });
});
