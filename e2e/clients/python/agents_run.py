import os
from agents import Agent, FileSearchTool, OpenAIProvider, RunConfig, Runner

run_config = RunConfig(
    model_provider=OpenAIProvider(
        base_url="http://localhost:3000/v1",
        api_key=os.environ["FOOTNOTE_API_KEY"],
        use_responses=True,
    ),
    # Traces would go to OpenAI.
    tracing_disabled=True,
)
agent = Agent(
    name="Ward assistant",
    model="footnote-extract-1",
    tools=[FileSearchTool(vector_store_ids=["public_kb"])],
)
result = Runner.run_sync(agent, "What are the signs of a stroke?", run_config=run_config)
print(result.final_output)
content = result.new_items[-1].raw_item.content[0]
for annotation in content.annotations:
    print(annotation.type, annotation.model_extra["verdict"])

# Checks
assert "[1]" in result.final_output
assert {each.type for each in content.annotations} == {"file_citation", "url_citation"}
assert content.annotations[0].model_extra["quote"]["text"]
