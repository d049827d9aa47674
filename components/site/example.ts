import type { Citation, UrlCitation, Verification } from "@/lib/citations/schema";

interface Example {
  question: string;
  content: string;
  annotations: UrlCitation[];
  verification: Verification;
  citations: Citation[];
}

/** An unedited API response from the sample knowledge base. */
export const EXAMPLE: Example = {
  question: "How is asthma treated with albuterol?",
  content:
    "Albuterol (salbutamol) is a short-acting bronchodilator that relieves asthma symptoms within minutes [3].\n\nThe Global Initiative for Asthma advises against treating asthma with albuterol alone in adults and adolescents [1].\n\nAlbuterol does not treat the airway inflammation that causes asthma [2].",
  annotations: [
    {
      type: "url_citation",
      url_citation: {
        start_index: 101,
        end_index: 104,
        title: "Asthma",
        url: "https://www.nhlbi.nih.gov/health/asthma",
        citation_id: 3,
        claim: {
          start_index: 0,
          end_index: 100,
          text: "Albuterol (salbutamol) is a short-acting bronchodilator that relieves asthma symptoms within minutes",
        },
        verification: {
          verdict: "supported",
          score: 1,
          method: "rules",
          reason: null,
        },
        quote: {
          text: "Albuterol (salbutamol) is a short-acting bronchodilator that relieves asthma symptoms within minutes.",
          char_start: 2113,
          char_end: 2214,
          page: null,
          section: "Asthma › Treatment",
          permalink:
            "http://localhost:3000/documents/doc_z19dcslbqluqii5rn1qvr707ch?quote=2113-2214-6188f10b1ec8",
        },
      },
    },
    {
      type: "url_citation",
      url_citation: {
        start_index: 219,
        end_index: 222,
        title: "Albuterol (salbutamol)",
        url: "https://medlineplus.gov/druginfo/meds/a682145.html",
        citation_id: 1,
        claim: {
          start_index: 107,
          end_index: 218,
          text: "The Global Initiative for Asthma advises against treating asthma with albuterol alone in adults and adolescents",
        },
        verification: {
          verdict: "supported",
          score: 1,
          method: "rules",
          reason: null,
        },
        quote: {
          text: "The Global Initiative for Asthma advises against treating asthma with albuterol alone in adults and adolescents.",
          char_start: 1602,
          char_end: 1714,
          page: null,
          section: "Albuterol (salbutamol) › Signs of poor asthma control",
          permalink:
            "http://localhost:3000/documents/doc_z456havej4etpr8fom176kj25l?quote=1602-1714-77e7ce591390",
        },
      },
    },
    {
      type: "url_citation",
      url_citation: {
        start_index: 293,
        end_index: 296,
        title: "Albuterol (salbutamol)",
        url: "https://medlineplus.gov/druginfo/meds/a682145.html",
        citation_id: 2,
        claim: {
          start_index: 225,
          end_index: 292,
          text: "Albuterol does not treat the airway inflammation that causes asthma",
        },
        verification: {
          verdict: "supported",
          score: 1,
          method: "rules",
          reason: null,
        },
        quote: {
          text: "Albuterol does not treat the airway inflammation that causes asthma.",
          char_start: 667,
          char_end: 735,
          page: null,
          section: "Albuterol (salbutamol) › How it works",
          permalink:
            "http://localhost:3000/documents/doc_z456havej4etpr8fom176kj25l?quote=667-735-e1525a392f00",
        },
      },
    },
  ],
  verification: {
    dropped_markers: 0,
    repaired_markers: 0,
    stripped_markers: 0,
    stripped: [],
    sentences: 3,
    cited: 3,
    coverage: 1,
    supported: 3,
    partial: 0,
    unsupported: 0,
    contradicted: 0,
    method: "rules",
    claims: [
      {
        start_index: 0,
        end_index: 100,
        text: "Albuterol (salbutamol) is a short-acting bronchodilator that relieves asthma symptoms within minutes",
        citation_ids: [3],
        verdict: "supported",
        score: 1,
        method: "rules",
        reason: null,
      },
      {
        start_index: 107,
        end_index: 218,
        text: "The Global Initiative for Asthma advises against treating asthma with albuterol alone in adults and adolescents",
        citation_ids: [1],
        verdict: "supported",
        score: 1,
        method: "rules",
        reason: null,
      },
      {
        start_index: 225,
        end_index: 292,
        text: "Albuterol does not treat the airway inflammation that causes asthma",
        citation_ids: [2],
        verdict: "supported",
        score: 1,
        method: "rules",
        reason: null,
      },
    ],
    disagreements: [],
  },
  citations: [
    {
      id: 1,
      scope: "public_kb",
      chunk_id: "chk_01m7zbta87f6t8y086bekzfzc0",
      document_id: "doc_z456havej4etpr8fom176kj25l",
      title: "Albuterol (salbutamol)",
      source_type: "medicine",
      similarity: 0.6658,
      excerpt:
        "Needing albuterol on more than 2 days a week for symptoms suggests that asthma is not well controlled. Use of three or more short-acting bronchodilator canisters a year is linked to a higher risk of severe asthma attacks. The Global Initiative for Asthma advises against treating asthma with…",
      metadata: {
        url: "https://medlineplus.gov/druginfo/meds/a682145.html",
        section: "Albuterol (salbutamol) › Signs of poor asthma control",
        published_at: "2026-10-14",
        char_start: 1380,
        char_end: 1804,
        cited: true,
      },
    },
    {
      id: 2,
      scope: "public_kb",
      chunk_id: "chk_01m7zbta87f6t8y086bekzfzby",
      document_id: "doc_z456havej4etpr8fom176kj25l",
      title: "Albuterol (salbutamol)",
      source_type: "medicine",
      similarity: 0.6127,
      excerpt:
        "Albuterol stimulates beta-2 receptors on the muscle around the airways, which relaxes the muscle and widens the airways. Inhaled albuterol starts to work within a few minutes. Inhaled albuterol has its peak effect after roughly 30 to 60 minutes. The effect of inhaled albuterol lasts about 3 to 6…",
      metadata: {
        url: "https://medlineplus.gov/druginfo/meds/a682145.html",
        section: "Albuterol (salbutamol) › How it works",
        published_at: "2026-10-14",
        char_start: 363,
        char_end: 735,
        cited: true,
      },
    },
    {
      id: 3,
      scope: "public_kb",
      chunk_id: "chk_01m7zbta88c4ejb6mp70fed80s",
      document_id: "doc_z19dcslbqluqii5rn1qvr707ch",
      title: "Asthma",
      source_type: "condition",
      similarity: 0.5755,
      excerpt:
        "Inhaled corticosteroids are the foundation of asthma control because they reduce airway inflammation. The Global Initiative for Asthma advises against treating asthma in adults and adolescents with a short-acting bronchodilator alone.\n\n- Combined inhalers with a corticosteroid and formoterol can…",
      metadata: {
        url: "https://www.nhlbi.nih.gov/health/asthma",
        section: "Asthma › Treatment",
        published_at: "2026-10-02",
        char_start: 1753,
        char_end: 2591,
        cited: true,
      },
    },
  ],
};
