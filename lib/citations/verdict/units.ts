/** A unit as a kind of measure and how many of that kind's base unit it is. */
export interface Unit {
  key: string;
  factor: number;
}

/** "kind: names=factor; …": names are as written when short, in lower case and singular when long. */
const TABLE = [
  "g: kg kilogram kilogramme kilo=1e3; g gram gramme=1; mg milligram milligramme=1e-3; ug mcg microg microgram microgramme=1e-6; ng nanogram=1e-9; pg picogram=1e-12; lb lbs pound=453.59237; oz ounce=28.349523125; tonne=1e6",
  "L: L l liter litre=1; dL dl deciliter decilitre=0.1; mL ml milliliter millilitre cc=1e-3; uL ul microliter microlitre=1e-6; nL nl=1e-9; cL cl=0.01",
  "m: km kilometer kilometre=1e3; m meter metre=1; cm centimeter centimetre=0.01; mm millimeter millimetre=1e-3; um micron micrometer micrometre microm=1e-6; nm nanometer nanometre=1e-9; inch inches=0.0254; ft foot feet=0.3048; mile=1609.344",
  "mol: mol mole=1; mmol millimole=1e-3; umol micromol micromole=1e-6; nmol nanomole=1e-9; pmol picomole=1e-12",
  "mol/L: M molar=1; mM millimolar=1e-3; uM micromolar=1e-6; nM nanomolar=1e-9; pM picomolar=1e-12",
  "day: s sec second=1.1574074074074073e-5; ms msec millisecond=1.1574074074074074e-8; min minute=6.944444444444445e-4; h hr hrs hour=0.041666666666666664; d day night=1; wk wks week=7",
  "month: mo mos month=1; y yr yrs year=12; decade=120",
  "mmHg: mmHg=1; kPa=7.50061683",
  "kcal: kcal kilocalorie=1; kJ kilojoule=0.2390057361",
  "%: % percent percentage=1; ‰=0.1",
  "fold: fold=1",
  "°C: °C celsius centigrade=1",
  "°F: °F fahrenheit=1",
  "Gy: Gy gray=1; cGy=0.01; mGy=1e-3",
  "Sv: Sv sievert=1; mSv=1e-3",
  "Da: Da dalton=1; kDa kilodalton=1e3",
  "bp: bp=1; kb kbp=1e3; Mb Mbp=1e6",
  "Hz: Hz hertz=1; kHz=1e3; MHz=1e6",
  "IU: IU=1; U=1; MU=1e6",
  "bpm: bpm=1",
  "mEq: mEq meq milliequivalent=1",
  "V: V volt=1; mV millivolt=1e-3",
  "K: K kelvin=1",
];

const LONG = 4;
const units = new Map<string, Unit>(
  TABLE.flatMap((line) => {
    const [key = "", rest = ""] = line.split(/: (.*)/s);
    return rest.split("; ").flatMap((group) => {
      const [names = "", factor] = group.split("=");
      return names.split(" ").map((name) => [name, { key, factor: Number(factor) }] as const);
    });
  }),
);
/** A letter that is a unit only right after its number: "5 g", never "a g". */
const plurals = /(?:es|s)$/;

/** The unit that a word names: "mg", "mM", "Milligrams", "days". */
export function unitOf(word: string): Unit | null {
  const exact = units.get(word);
  if (exact) {
    return exact;
  }
  const lower = word.toLowerCase();
  if (lower.length < LONG && lower !== "mmhg") {
    return null;
  }
  return units.get(lower) ?? units.get(lower.replace(/s$/, "")) ?? namedPlural(lower);
}

function namedPlural(lower: string): Unit | null {
  if (lower === "mmhg") {
    return units.get("mmHg") ?? null;
  }
  return units.get(lower.replace(plurals, "")) ?? null;
}

/** The days in a unit of time, by which "per day" and "weekly" are compared; null for other units. */
export function daysIn(unit: Unit): number | null {
  if (unit.key === "day") {
    return unit.factor;
  }
  return unit.key === "month" ? unit.factor * DAYS_IN_MONTH : null;
}

/** A mean, so that "monthly" equals "once a month" and "yearly" equals "every 12 months". */
const DAYS_IN_MONTH = 30.436875;
