import os
from openai import OpenAI

client = OpenAI(
    base_url="http://localhost:3000/v1", api_key=os.environ["FOOTNOTE_API_KEY"]
)
question = [{"role": "user", "content": "What are the signs of a stroke?"}]
citations = {"citations": {"enabled": True, "required": True, "return": "cited"}}

completion = client.chat.completions.create(
    model="footnote-extract-1", messages=question, extra_body=citations
)
message = completion.choices[0].message
print(message.content)
print(completion.citations[0]["title"])
for annotation in message.annotations:
    cited = annotation.url_citation
    print(cited.citation_id, cited.verification["verdict"])

with client.chat.completions.create(
    model="footnote-extract-1", messages=question, extra_body=citations, stream=True
) as stream:
    for chunk in stream:
        if chunk.choices[0].delta.content:
            break

# Checks
assert "[1]" in message.content
assert message.annotations[0].url_citation.quote["text"]
assert completion.usage.cost == float(completion.usage.cost_usd) > 0
assert stream.response.is_closed
