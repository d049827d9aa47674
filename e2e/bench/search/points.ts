import { Random } from "./random";

export const DIMENSIONS = 384;
const CLUSTERS = 400;

/** Distances of a document from its cluster, a chunk from its document, and a query from its chunk. */
const DOCUMENT_NOISE = 0.8;
const CHUNK_NOISE = 0.7;
const QUERY_NOISE = 0.6;
const NORMALS = 1 << 21;

/**
 * Unit vectors like an embedding model's: clusters of documents of chunks, with decreasing variance per dimension.
 * Two chunks have a cosine of about 0.67 within a document and 0.4 within a cluster.
 */
export class Points {
  private readonly normals: Float32Array;
  private readonly spectrum: Float32Array;
  private readonly centres: Float32Array[];

  constructor(private readonly seed: number) {
    this.normals = normals(new Random(seed, 1));
    this.spectrum = spectrum();
    this.centres = Array.from({ length: CLUSTERS }, (_, cluster) =>
      this.near(new Float32Array(DIMENSIONS), 1, new Random(seed, 2, cluster)),
    );
  }

  clusterOf(document: number): number {
    return new Random(this.seed, 3, document).below(CLUSTERS);
  }

  ofDocument(document: number): Float32Array {
    const center = this.centerOf(this.clusterOf(document));
    return this.near(center, DOCUMENT_NOISE, new Random(this.seed, 4, document));
  }

  ofChunk(documentPoint: Float32Array, chunk: number): Float32Array {
    return this.near(documentPoint, CHUNK_NOISE, new Random(this.seed, 5, chunk));
  }

  ofQuery(target: Float32Array, query: number): Float32Array {
    return this.near(target, QUERY_NOISE, new Random(this.seed, 6, query));
  }

  centerOf(cluster: number): Float32Array {
    return this.centres[cluster] ?? new Float32Array(DIMENSIONS);
  }

  private near(center: Float32Array, noise: number, random: Random): Float32Array {
    const from = random.below(NORMALS - DIMENSIONS);
    const point = new Float32Array(DIMENSIONS);
    let square = 0;
    for (let index = 0; index < DIMENSIONS; index += 1) {
      const value =
        (center[index] ?? 0) +
        noise * (this.normals[from + index] ?? 0) * (this.spectrum[index] ?? 0);
      point[index] = value;
      square += value * value;
    }
    const scale = 1 / Math.sqrt(square);
    return point.map((value) => value * scale);
  }
}

function normals(random: Random): Float32Array {
  return Float32Array.from({ length: NORMALS }, () => {
    const radius = Math.sqrt(-2 * Math.log(1 - random.next()));
    return radius * Math.cos(2 * Math.PI * random.next());
  });
}

/** The standard deviation of each noise dimension, for a length of about 1 and about 100 effective dimensions. */
function spectrum(): Float32Array {
  const raw = Float32Array.from({ length: DIMENSIONS }, (_, index) => (1 + index / 20) ** -0.75);
  const scale = 1 / Math.hypot(...raw);
  return raw.map((value) => value * scale);
}
